package import Entitlement
package import HTTPServer
package import Observability
import Synchronization

/// The addresses of callers, as all limits count them.
final class CallerAddresses: Sendable {
    private let proxies: AddressSet
    private let watch: ProxyWatch?

    init(_ settings: APISettings) {
        self.proxies = settings.trustedProxies
        self.watch = settings.proxyWatch
    }

    func address(of request: HTTPRequest) -> IPAddress {
        request.caller {
            // One proxy, one plain address: nearly every forwarded call, with nothing to notice.
            if self.proxies.contains(request.remoteAddress),
                let only = request.headers.address("X-Forwarded-For")
            {
                return only
            }
            self.watch?.look(at: request, trusting: self.proxies)
            return ClientAddress.of(request, trusting: self.proxies)
        }
    }

    /// Whether ``address(of:)`` is the caller's own as far as can be seen: not that of a proxy that says whom it speaks
    /// for and is not believed, nor of a believed one that does not say.
    func knowsAddress(of request: HTTPRequest) -> Bool {
        let isForwarded = ["X-Forwarded-For", "Forwarded", "Via"].contains { request.headers.contains($0) }
        return isForwarded == self.proxies.contains(request.remoteAddress)
    }

    /// The address of the device a call is for: the caller's own, or what a programmer's server forwards (rest-v1 28.2).
    /// - Parameter isFromServer: whether the caller proved to be such a server.
    func address(of request: HTTPRequest, isFromServer: Bool) -> IPAddress {
        (isFromServer ? ClientAddress.forwarded(by: request) : nil) ?? self.address(of: request)
    }
}

extension IPAddress {
    /// The mark by which limits on guessing recognise a caller.
    package var network: NetworkAddress {
        switch self.family {
        case .v4: .v4(UInt32(truncatingIfNeeded: self.low))
        case .v6: .v6(high: self.high)
        case .unix: .local
        }
    }

    /// An IPv4 address, or the /64 an IPv6 address is drawn from, as a number of this process: for tables that are asked
    /// with every call.
    var limitKey: Int { self.family == .v6 ? self.prefix.hashValue : self.hashValue }
}

extension IPAddress {
    /// Whether a caller on the internet may have this address: it is not one of a private network, of this machine or
    /// unspecified (RFC 6890, RFC 6598). Ranges reserved for documentation count as public: no caller has one.
    var isPublic: Bool {
        switch self.family {
        case .unix: false
        case .v4:
            switch self.firstBytes {
            case (0, _), (10, _), (127, _), (100, 64...127), (169, 254), (172, 16...31), (192, 168), (224..., _): false
            default: true
            }
        case .v6:
            switch self.high >> 48 {
            // ::/16, which is not assigned; fc00::/7, fe80::/10 and the old fec0::/10, ff00::/8.
            case 0, 0xFC00...0xFDFF, 0xFE80...0xFEFF, 0xFF00...0xFFFF: false
            default: true
            }
        }
    }

    /// The first two of the four bytes of an IPv4 address.
    var firstBytes: (UInt64, UInt64) { (self.low >> 24, self.low >> 16 & 0xFF) }
}

/// The real caller, when proxies stand in between.
package enum ClientAddress {
    /// The address of the caller of `request`.
    ///
    /// `X-Forwarded-For` is read from the right, and only as long as a trusted proxy wrote the entry: everything
    /// further left is the caller's own claim, and a limit that believed it could be walked around with a made-up
    /// address. For an honest chain this finds the same address as reading from the left (rest-v1 24.3).
    /// - Parameter proxies: addresses of proxies the operator trusts; `IPAddress.unix` for a proxy on a Unix socket.
    package static func of(_ request: HTTPRequest, trusting proxies: AddressSet) -> IPAddress {
        var address = request.remoteAddress
        guard proxies.contains(address) else { return address }
        let hops = request.headers.all("X-Forwarded-For").joined(separator: ",").split(separator: ",").suffix(32)
        for hop in hops.reversed() {
            guard let next = Self.read(hop) else { return address }
            address = next
            guard proxies.contains(next) else { return next }
        }
        return address
    }

    /// The device's own address as a programmer's server forwards it: the leftmost public one (rest-v1 24.3, 28.2).
    ///
    /// Only for a caller that proved to be such a server. The list has the server's address at its end behind proxies
    /// of ours, so that it is not looked for there.
    /// - Returns: `nil` when none of the first 32 entries is a public address.
    package static func forwarded(by request: HTTPRequest) -> IPAddress? {
        let fields = request.headers.all("X-Forwarded-For")
        return fields.joined(separator: ",").split(separator: ",").prefix(32).lazy
            .compactMap { Self.read($0) }.first { $0.isPublic }
    }

    /// An entry: an address, in brackets or with a port as some proxies write it.
    private static func read(_ entry: Substring) -> IPAddress? {
        var text = entry.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        if text.first == "[", let end = text.firstIndex(of: "]") {
            return IPAddress(text[text.index(after: text.startIndex)..<end])
        }
        if text.filter({ $0 == ":" }).count == 1, let colon = text.firstIndex(of: ":") {
            return IPAddress(text[..<colon])
        }
        return IPAddress(text)
    }
}

/// Notices when proxies and the configuration do not fit together, and says so once each.
///
/// These faults are silent otherwise: all callers behind the proxy count as one, and that one is soon shut out. A
/// stranger may make up the header, and a program of this machine may ask for the public host, so no line is a proof.
package final class ProxyWatch: Sendable {
    private let logger: Logger
    private let toldOfStranger = Atomic<Bool>(false)
    private let toldOfSilence = Atomic<Bool>(false)
    private let toldOfNeighbour = Atomic<Bool>(false)
    private let publicHost: PublicHost

    /// - Parameter publicURL: where people and boxes reach the server (``APISettings/publicURL``).
    package init(logger: Logger, publicURL: String) {
        self.logger = logger
        self.publicHost = PublicHost(of: publicURL)
    }

    /// Looks at a request before its address is read.
    func look(at request: HTTPRequest, trusting proxies: AddressSet) {
        if proxies.contains(request.remoteAddress) {
            guard !self.toldOfSilence.load(ordering: .relaxed), !request.headers.contains("X-Forwarded-For"),
                !self.toldOfSilence.exchange(true, ordering: .relaxed)
            else { return }
            self.logger.warning(
                "a trusted proxy sent no X-Forwarded-For, so all callers behind it count as one",
                [.remote: .text(request.remoteAddress.description)])
        } else if !request.headers.contains("X-Forwarded-For") {
            guard !self.toldOfNeighbour.load(ordering: .relaxed), request.remoteAddress.isLoopback,
                self.publicHost.isAsked(by: request), !self.toldOfNeighbour.exchange(true, ordering: .relaxed)
            else { return }
            self.logger.warning(
                "a proxy on this machine seems to send no X-Forwarded-For and is not in server.trustedProxies",
                [.remote: .text(request.remoteAddress.description)])
        } else {
            guard !self.toldOfStranger.load(ordering: .relaxed),
                !self.toldOfStranger.exchange(true, ordering: .relaxed)
            else { return }
            self.logger.warning(
                "X-Forwarded-For came from an address that is not in server.trustedProxies and is not believed",
                [.remote: .text(request.remoteAddress.prefix)])
        }
    }
}
