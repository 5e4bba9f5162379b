import HTTPServer

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
