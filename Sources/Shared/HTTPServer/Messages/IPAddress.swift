import Glibc
import TextCoding

/// The sender of a request: an address without its port.
package struct IPAddress: Hashable, Sendable {
    package enum Family: UInt8, Hashable, Sendable {
        case v4
        case v6
        /// A Unix socket; it has no address, and every peer is the same.
        case unix
    }

    package let family: Family
    /// The address in network order, read as a number; an IPv4 address is the last 32 bits of `low`.
    package let high: UInt64
    package let low: UInt64

    package static let unix = IPAddress(family: .unix, high: 0, low: 0)
}

extension IPAddress {
    package init(v4 address: UInt32) { self.init(family: .v4, high: 0, low: UInt64(address)) }

    /// An IPv4 address in IPv6 clothing (`::ffff:192.0.2.1`, RFC 4291 2.5.5.2) becomes the IPv4 address it is.
    package init(v6High high: UInt64, low: UInt64) {
        if high == 0, low >> 32 == 0xFFFF {
            self.init(v4: UInt32(truncatingIfNeeded: low))
        } else {
            self.init(family: .v6, high: high, low: low)
        }
    }

    /// Reads `192.0.2.1` or `2001:db8::1`, without port, brackets or zone.
    package init?(_ text: some StringProtocol) {
        let text = String(text)
        guard text.utf8.count <= 45, !text.utf8.contains(0) else { return nil }
        let bytes = text.utf8
        if let v4 = Self.v4Word(bytes.span) {
            self.init(v4: v4)
            return
        }
        var v6 = in6_addr()
        guard unsafe inet_pton(AF_INET6, text, &v6) == 1 else { return nil }
        self.init(v6)
    }

    /// Four numbers up to 255 with points between them, in decimal and without leading zeros, as inet_pton(3) reads them:
    /// every call behind a proxy brings one, and for a C function the text would have to be copied.
    static func v4Word(_ text: Span<UInt8>) -> UInt32? {
        var (word, number, digits, points): (UInt32, UInt32, Int, Int) = (0, 0, 0, 0)
        for index in text.indices {
            let byte = text[index]
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                guard digits == 0 || number > 0 else { return nil }
                number = number * 10 + UInt32(byte - UInt8(ascii: "0"))
                guard number <= 255 else { return nil }
                digits += 1
            case UInt8(ascii: "."):
                guard digits > 0, points < 3 else { return nil }
                word = word << 8 | number
                (number, digits, points) = (0, 0, points + 1)
            default:
                return nil
            }
        }
        return digits > 0 && points == 3 ? word << 8 | number : nil
    }

    init(_ address: in6_addr) {
        let words = unsafe withUnsafeBytes(of: address) { bytes in
            unsafe (bytes.loadUnaligned(as: UInt64.self), bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
        self.init(v6High: UInt64(bigEndian: words.0), low: UInt64(bigEndian: words.1))
    }

    var v4Word: UInt32 { UInt32(truncatingIfNeeded: self.low) }

    var v6Address: in6_addr {
        var address = in6_addr()
        unsafe withUnsafeMutableBytes(of: &address) { bytes in
            unsafe bytes.storeBytes(of: self.high.bigEndian, as: UInt64.self)
            unsafe bytes.storeBytes(of: self.low.bigEndian, toByteOffset: 8, as: UInt64.self)
        }
        return address
    }

    package var isLoopback: Bool {
        switch self.family {
        case .v4: self.low >> 24 == 127
        case .v6: self.high == 0 && self.low == 1
        case .unix: true
        }
    }

    /// Whether both are of one household, as far as an address tells: the same /24 of IPv4, the same /64 of IPv6.
    package func isSameNetwork(as other: IPAddress) -> Bool {
        guard self.family == other.family else { return false }
        return switch self.family {
        case .v4: self.low >> 8 == other.low >> 8
        case .v6: self.high == other.high
        case .unix: true
        }
    }

    /// The key that limits of one address count by: a whole IPv4 address, a /64 of IPv6, of which one subscriber has
    /// all addresses; `nil` for Unix sockets, whose peers cannot be told apart.
    var limitKey: IPAddress? {
        switch self.family {
        case .v4: self
        case .v6: IPAddress(family: .v6, high: self.high, low: 0)
        case .unix: nil
        }
    }

    /// The network `isSameNetwork` compares, for logs: `192.0.2.0/24`, `2001:db8::/64` or `unix`.
    package var prefix: String {
        switch self.family {
        case .v4: IPAddress(v4: UInt32(truncatingIfNeeded: self.low) & 0xFFFF_FF00).description + "/24"
        case .v6: IPAddress(family: .v6, high: self.high, low: 0).description + "/64"
        case .unix: self.description
        }
    }
}

extension IPAddress: CustomStringConvertible {
    /// `192.0.2.1`, `2001:db8::1` (RFC 5952) or `unix`.
    package var description: String {
        switch self.family {
        case .unix:
            return "unix"
        case .v4:
            return DottedQuad.text(of: self.v4Word)
        case .v6:
            var words = (self.high.bigEndian, self.low.bigEndian)
            var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
            guard unsafe inet_ntop(AF_INET6, &words, &text, socklen_t(text.count)) != nil else { return "::" }
            return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
    }
}
