import Glibc

/// The file of a listening Unix socket.
package struct SocketFile: Sendable {
    private let path: String

    package init(_ path: String) {
        self.path = path
    }

    /// Gives it to a group, and then these permissions. It must be this process's own.
    package func share(with group: UnixGroup, mode: UInt32) throws(SystemError) {
        guard unsafe chown(self.path, uid_t.max, group.id) == 0 else { throw .last }
        guard unsafe chmod(self.path, mode) == 0 else { throw .last }
    }
}
