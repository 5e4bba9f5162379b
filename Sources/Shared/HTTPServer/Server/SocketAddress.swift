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

    mutating func bind(_ descriptor: Int32) -> Bool {
        let length = self.length
        return unsafe self.withPointer { unsafe Glibc.bind(descriptor, $0, length) } == 0
    }

    mutating func connect(_ descriptor: Int32) -> Bool {
        let length = self.length
        return unsafe self.withPointer { unsafe Glibc.connect(descriptor, $0, length) } == 0
    }

    private mutating func withPointer(_ body: (UnsafePointer<sockaddr>) -> Int32) -> Int32 {
        unsafe withUnsafePointer(to: &self.storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0) }
        }
    }

    /// The port of a bound socket; `nil` when its address has no port.
    static func localPort(of descriptor: Int32) -> Int? {
        guard let storage = self.localStorage(of: descriptor) else { return nil }
        return unsafe withUnsafeBytes(of: storage) { bytes in
            switch Int32(storage.ss_family) {
            // Both families keep the port behind the family.
            case AF_INET, AF_INET6: Int(UInt16(bigEndian: unsafe bytes.load(fromByteOffset: 2, as: UInt16.self)))
            default: nil
            }
        }
    }

    static func local(of descriptor: Int32) -> IPAddress? {
        guard let storage = self.localStorage(of: descriptor) else { return nil }
        return unsafe withUnsafePointer(to: storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe IPAddress($0) }
        }
    }

    private static func localStorage(of descriptor: Int32) -> sockaddr_storage? {
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

extension IPAddress {
    /// Reads what `accept` reported. Anything but IPv4 and IPv6 is a Unix socket.
    init(_ address: UnsafePointer<sockaddr>?) {
        guard let address = unsafe address else {
            self = .unix
            return
        }
        let raw = unsafe UnsafeRawPointer(address)
        switch unsafe Int32(address.pointee.sa_family) {
        case AF_INET:
            self.init(v4: UInt32(bigEndian: unsafe raw.loadUnaligned(as: sockaddr_in.self).sin_addr.s_addr))
        case AF_INET6:
            self.init(unsafe raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr)
        default:
            self = .unix
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
        var world = SocketAddress(IPAddress(v4: 0xC000_0201), port: 9)
        guard world.connect(descriptor), let local = SocketAddress.local(of: descriptor) else { return nil }
        return local.isLoopback ? nil : local
    }
}
