import CMicrohttpd
import Glibc

/// How this machine is called by others in its network.
package enum LocalNetwork {
    /// The address that packets to the world would come from; nothing is sent.
    /// - Returns: `nil` on a machine without a network.
    package static func address() -> IPAddress? {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // TEST-NET-1 (RFC 5737) is routed like any address of the world. connect(2) on a datagram socket only chooses a
        // route.
        var world = SocketAddress(IPAddress(v4: 0xC000_0201), port: 9)
        guard world.connect(descriptor), let local = SocketAddress.local(of: descriptor) else { return nil }
        return local.isLoopback ? nil : local
    }
}
