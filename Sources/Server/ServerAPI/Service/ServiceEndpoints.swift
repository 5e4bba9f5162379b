package import Entitlement
package import HTTPServer
package import Observability

/// What operators and their tools ask (not part of any protocol), and the public key of media tokens.
package struct ServiceEndpoints: Sendable {
    private let domain: Entitlements
    private let settings: APISettings
    private let metrics: Metrics
    private let mediaTokenKeys: @Sendable () -> String
    private let isStopping: @Sendable () -> Bool

    /// - Parameters:
    ///   - mediaTokenKeys: the public keys of the moment in PEM, the one that signs first (rest-v1 22.5).
    ///   - isStopping: whether the server is about to go, and wants no new work.
    package init(
        domain: Entitlements, settings: APISettings, metrics: Metrics, mediaTokenKeys: @escaping @Sendable () -> String,
        isStopping: @escaping @Sendable () -> Bool
    ) {
        self.domain = domain
        self.settings = settings
        self.metrics = metrics
        self.mediaTokenKeys = mediaTokenKeys
        self.isStopping = isStopping
    }

    /// The same with keys that stay.
    package init(
        domain: Entitlements, settings: APISettings, metrics: Metrics, mediaTokenKeys: String,
        isStopping: @escaping @Sendable () -> Bool
    ) {
        self.init(
            domain: domain, settings: settings, metrics: metrics, mediaTokenKeys: { mediaTokenKeys },
            isStopping: isStopping)
    }

    /// Adds `/healthz`, `/readyz`, `/metrics` and `/.well-known/media-token-key.pem`.
    package func addRoutes(to router: inout Router) {
        router.on(.get, path: "/healthz", name: "healthz") { _ in .now(Self.plain("ok\n")) }
        router.on(.get, path: "/readyz", name: "readyz") { _ in
            .later { await self.readiness() }
        }
        router.on(.get, path: "/metrics", name: "metrics") { request in
            .now(self.metricsResponse(request))
        }
        router.on(.get, path: "/.well-known/media-token-key.pem", name: "media-token-key", group: .api()) { _ in
            .now(
                HTTPResponse(
                    headers: HTTPHeaders([
                        ("Content-Type", "application/x-pem-file"), ("Cache-Control", "max-age=300"),
                    ]),
                    body: .text(self.mediaTokenKeys())))
        }
    }

    /// Ready is who can ask the store and is not about to stop.
    private func readiness() async -> HTTPResponse {
        guard !self.isStopping() else { return Self.plain("stopping\n", status: .serviceUnavailable) }
        do {
            try await self.domain.upkeep.checkStore()
            return Self.plain("ready\n")
        } catch {
            return Self.plain("the store does not answer\n", status: .serviceUnavailable)
        }
    }

    private func metricsResponse(_ request: HTTPRequest) -> HTTPResponse {
        guard self.mayReadMetrics(request) else { return Self.plain("Not Found\n", status: .notFound) }
        return HTTPResponse(
            headers: HTTPHeaders([
                ("Content-Type", "text/plain; version=0.0.4; charset=utf-8"), ("Cache-Control", "no-store"),
            ]),
            body: .text(self.metrics.prometheusText()))
    }

    /// This machine, and whom the operator named. A request that was forwarded by a proxy nobody told us of is not from
    /// this machine, even if the proxy is.
    private func mayReadMetrics(_ request: HTTPRequest) -> Bool {
        let isForwarded = request.headers.contains("X-Forwarded-For") || request.headers.contains("Forwarded")
        if isForwarded, !self.settings.trustedProxies.contains(request.remoteAddress) { return false }
        let address = self.settings.address(of: request)
        return address.isLoopback || self.settings.metricsReaders.contains(address)
    }

    private static func plain(_ text: String, status: HTTPStatus = .ok) -> HTTPResponse {
        HTTPResponse.text(text, status: status).adding("Cache-Control", "no-store")
    }
}
