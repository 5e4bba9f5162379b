import Glibc
import HTTPServer

/// How this machine is called by others in its network.
enum LocalNetwork {
    /// The address that packets to the world would come from; nothing is sent.
    /// - Returns: `nil` on a machine without a network.
    static func address() -> IPAddress? {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        // TEST-NET-1 (RFC 5737) is routed like any address of the world. connect(2) on a datagram socket only chooses a
        // route; `address` outlives both calls.
        address.sin_addr.s_addr = UInt32(0xC000_0201).bigEndian
        address.sin_port = UInt16(9).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isKnown = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                unsafe connect(descriptor, generic, length) == 0 && getsockname(descriptor, generic, &length) == 0
            }
        }
        let local = IPAddress(v4: UInt32(bigEndian: address.sin_addr.s_addr))
        return isKnown && !local.isLoopback ? local : nil
    }
}
