import Glibc

/// The manager that started this process, such as systemd (sd_notify(3)).
package enum ServiceManager {
    /// Tells it something, such as `READY=1`.
    /// - Parameter socket: what the variable `NOTIFY_SOCKET` names: a path, or a name behind `@`.
    package static func tell(_ state: String, at socket: String) throws(SystemError) {
        var address = sockaddr_un()
        var name = Array(socket.utf8)
        // unix(7): a name in the abstract namespace begins with a NUL.
        if name.first == UInt8(ascii: "@") { name[0] = 0 }
        guard (2..<MemoryLayout.size(ofValue: address.sun_path)).contains(name.count) else {
            throw SystemError(code: EINVAL)
        }
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { path in
            for (index, byte) in name.enumerated() { unsafe path[index] = byte }
        }
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .last }
        defer { close(descriptor) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
        let message = Array(state.utf8)
        let sent = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe sendto(descriptor, message, message.count, Int32(MSG_NOSIGNAL), $0, length)
            }
        }
        guard sent == message.count else { throw .last }
    }
}
