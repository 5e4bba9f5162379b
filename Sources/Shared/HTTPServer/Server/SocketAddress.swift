import CMicrohttpd
import Glibc

/// An address in the form the system calls take.
struct SocketAddress {
    private var storage = sockaddr_storage()
    private var length: socklen_t

    init(_ ip: IPAddress, port: UInt16) {
        switch ip.family {
        case .v4:
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = ip.v4Word.bigEndian
            self.length = socklen_t(MemoryLayout<sockaddr_in>.size)
            unsafe withUnsafeMutableBytes(of: &self.storage) {
                unsafe $0.storeBytes(of: address, as: sockaddr_in.self)
            }
        case .v6, .unix:
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_addr = ip.v6Address
            self.length = socklen_t(MemoryLayout<sockaddr_in6>.size)
            unsafe withUnsafeMutableBytes(of: &self.storage) {
                unsafe $0.storeBytes(of: address, as: sockaddr_in6.self)
            }
        }
    }

    /// - Returns: `nil` when the path is empty, holds a NUL or does not fit with the NUL that ends it.
    init?(unixPath path: String) {
        let bytes = Array(path.utf8)
        guard (1..<108).contains(bytes.count), !bytes.contains(0) else { return nil }
        self.length = socklen_t(MemoryLayout<sockaddr_un>.size)
        self.storage.ss_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &self.storage) { storage in
            for (index, byte) in bytes.enumerated() {
                unsafe storage[MemoryLayout<sa_family_t>.size + index] = byte
            }
        }
    }

    func bind(_ descriptor: Int32) -> Bool {
        unsafe self.storage.withAddress { unsafe Glibc.bind(descriptor, $0, self.length) } == 0
    }

    func connect(_ descriptor: Int32) -> Bool {
        unsafe self.storage.withAddress { unsafe Glibc.connect(descriptor, $0, self.length) } == 0
    }

    /// The address that a socket is bound to.
    static func local(of descriptor: Int32) -> sockaddr_storage? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let status = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(descriptor, $0, &length)
            }
        }
        return status == 0 ? storage : nil
    }
}

/// An address that the system tells: of anything but IPv4 and IPv6 it is a Unix socket's, which has no port.
extension sockaddr_storage {
    var ip: IPAddress {
        unsafe withUnsafeBytes(of: self) { bytes in
            switch Int32(self.ss_family) {
            case AF_INET: IPAddress(v4: UInt32(bigEndian: unsafe bytes.load(as: sockaddr_in.self).sin_addr.s_addr))
            case AF_INET6: IPAddress(unsafe bytes.load(as: sockaddr_in6.self).sin6_addr)
            default: .unix
            }
        }
    }

    var port: UInt16? {
        // Both families keep the port behind the family.
        guard self.ip != .unix else { return nil }
        return unsafe withUnsafeBytes(of: self) {
            UInt16(bigEndian: unsafe $0.load(fromByteOffset: 2, as: UInt16.self))
        }
    }

    /// The address in the form that the system calls take.
    func withAddress<Result>(_ body: (UnsafePointer<sockaddr>) -> Result) -> Result {
        unsafe withUnsafePointer(to: self) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0) }
        }
    }
}

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
        let world = SocketAddress(IPAddress(v4: 0xC000_0201), port: 9)
        guard world.connect(descriptor), let local = SocketAddress.local(of: descriptor)?.ip else { return nil }
        return local.isLoopback ? nil : local
    }
}
