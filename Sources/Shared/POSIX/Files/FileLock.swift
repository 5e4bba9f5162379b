import Glibc

/// The lock of a file, held until it goes out of scope or the process ends.
///
/// The file is made, mode 0600, and stays: taking it away would let two processes lock two files of one name. In another
/// user's folder root makes it that user's.
package struct FileLock: ~Copyable, Sendable {
    private let descriptor: FileDescriptor

    /// Waits up to `patience` for others, and blocks the thread meanwhile.
    /// - Parameter group: whose members share the file; `nil` when its own user is alone.
    /// - Throws: ``SystemError/locked`` when they took longer.
    package init(_ path: String, patience: Duration, sharedWith group: UnixGroup? = nil) throws(SystemError) {
        let descriptor = try FileDescriptor(path, group == nil ? .lock : .sharedLock)
        if let group {
            try descriptor.share(with: group)
        } else {
            try descriptor.give(toOwnerOfFolder: Folder.containing(path))
        }
        let pause: Duration = .milliseconds(10)
        var waited: Duration = .zero
        while true {
            do throws(SystemError) {
                try descriptor.lock()
                break
            } catch {
                guard error == .locked, waited < patience else { throw error }
                usleep(10_000)
                waited += pause
            }
        }
        self.descriptor = descriptor
    }
}
