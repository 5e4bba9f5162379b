import HTTPServer
package import Observability
import Synchronization

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
