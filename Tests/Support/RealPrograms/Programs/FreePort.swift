import Glibc

/// A TCP port of 127.0.0.1 that nobody listens on.
package enum FreePort {
    package struct None: Error {
        package let code: Int32
    }

    /// A port for a program that must know it before it starts.
    ///
    /// Not one of the system's own choice: clients get theirs from the same range, and a test beside this one that opens
    /// thousands of connections would take it before the program does (ip(7), `ip_local_port_range`, from 32768).
    package static func find() throws -> UInt16 {
        for _ in 0..<100 {
            guard let (descriptor, port) = try? Self.bound(to: .random(in: 10_000..<32_000)) else { continue }
            close(descriptor)
            return port
        }
        throw None(code: EADDRINUSE)
    }

    /// A port that stays taken until the descriptor is closed.
    /// - Parameters:
    ///   - port: zero leaves the choice to the system.
    ///   - takesOver: also a port whose last server has just gone, with connections that have not quite.
    package static func bound(
        to port: UInt16 = 0, takingOver takesOver: Bool = false
    ) throws -> (descriptor: Int32, port: UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var reuse: Int32 = takesOver ? 1 : 0
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        address.sin_port = port.bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = unsafe withUnsafeMutablePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard unsafe bind(descriptor, address, length) == 0, listen(descriptor, 1) == 0 else {
                    return Int32(-1)
                }
                return unsafe getsockname(descriptor, address, &length)
            }
        }
        guard result == 0 else {
            let code = errno
            close(descriptor)
            throw None(code: code)
        }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }
}
