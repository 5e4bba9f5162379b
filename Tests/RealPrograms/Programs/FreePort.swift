import Glibc

/// A TCP port of 127.0.0.1 that nobody listens on.
package enum FreePort {
    package struct None: Error {
        package let code: Int32
    }

    /// The system's own choice, free again by now. The system does not give the same one twice in a row, so programs
    /// that need to know their port before they start can use it.
    package static func find() throws -> UInt16 {
        let (descriptor, port) = try Self.bound()
        close(descriptor)
        return port
    }

    /// A port that stays taken until the descriptor is closed.
    package static func bound() throws -> (descriptor: Int32, port: UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
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
