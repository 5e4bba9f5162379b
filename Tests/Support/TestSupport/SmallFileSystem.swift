import Glibc

/// A file system in memory, which a test can fill. Mounting one takes root.
package enum SmallFileSystem {
    package static let isAvailable: Bool = {
        let folder = "/tmp/latchkey-mount-\(getpid())"
        guard unsafe mkdir(folder, 0o700) == 0 else { return false }
        defer { unsafe rmdir(folder) }
        guard mount(folder, megabytes: 1) else { return false }
        unmount(folder)
        return true
    }()

    package static func mount(_ folder: String, megabytes: Int) -> Bool {
        return unsafe Glibc.mount("tmpfs", folder, "tmpfs", 0, "size=\(megabytes)m") == 0
    }

    /// Also while a process still has files of it open.
    package static func unmount(_ folder: String) { _ = unsafe umount2(folder, Int32(MNT_DETACH)) }

    /// Takes all the room there is.
    package static func fill(_ folder: String) {
        let ballast = unsafe open("\(folder)/ballast", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        let block = [UInt8](repeating: 7, count: 65_536)
        while unsafe write(ballast, block, block.count) > 0 {}
        close(ballast)
    }

    /// Nothing can be written under `folder` until ``makeWritable(_:)``. Files that are open for writing stay so, as after
    /// a fault of a disk.
    package static func makeReadOnly(_ folder: String) -> Bool {
        unsafe Glibc.mount(folder, folder, nil, UInt(MS_BIND), nil) == 0
            && Glibc.mount(nil, folder, nil, UInt(MS_BIND | MS_REMOUNT | MS_RDONLY), nil) == 0
    }

    package static func makeWritable(_ folder: String) { Self.unmount(folder) }

    package static func makeRoom(_ folder: String) { _ = unsafe unlink("\(folder)/ballast") }
}
