import Glibc

package struct UnixGroup: Hashable, Sendable {
    package let id: UInt32

    package init(id: UInt32) { self.id = id }

    /// - Returns: `nil` when the system knows no such group.
    package init?(named name: String) {
        // getgrnam_r(3): the members' names go into the buffer too, and a group may have many.
        var size = 1024
        while size <= 1 << 20 {
            var buffer = [CChar](repeating: 0, count: size)
            let (code, id) = unsafe buffer.withUnsafeMutableBufferPointer { buffer -> (Int32, UInt32?) in
                var entry = unsafe group()
                var found: UnsafeMutablePointer<group>?
                let code = unsafe getgrnam_r(name, &entry, buffer.baseAddress, buffer.count, &found)
                return unsafe (code, found?.pointee.gr_gid)
            }
            if code == ERANGE {
                size *= 4
                continue
            }
            guard code == 0, let id else { return nil }
            self.init(id: id)
            return
        }
        return nil
    }

    /// Gives a file, folder or socket of this process to the group, and then these permissions: chown(2) may take bits away.
    package func take(_ path: String, mode: UInt32) throws(SystemError) {
        guard unsafe chown(path, uid_t.max, self.id) == 0, unsafe chmod(path, mode) == 0 else { throw .last }
    }
}
