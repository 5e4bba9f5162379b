import HTTPServer
package import Observability
import Synchronization

/// Notices when proxies and the configuration do not fit together, and says so once each.
///
/// Both faults are silent otherwise: all callers behind the proxy count as one, and that one is soon shut out. A
/// stranger may make up the header, so the first line is no proof of a fault.
package final class ProxyWatch: Sendable {
    private let logger: Logger
    private let toldOfStranger = Atomic<Bool>(false)
    private let toldOfSilence = Atomic<Bool>(false)

    package init(logger: Logger) {
        self.logger = logger
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
        } else {
            guard !self.toldOfStranger.load(ordering: .relaxed), request.headers.contains("X-Forwarded-For"),
                !self.toldOfStranger.exchange(true, ordering: .relaxed)
            else { return }
            self.logger.warning(
                "X-Forwarded-For came from an address that is not in server.trustedProxies and is not believed",
                [.remote: .text(request.remoteAddress.prefix)])
        }
    }
}
