import Clientless
import Entitlement
import HTTPServer
import Observability

/// The questions of operators and their tools (not part of any protocol), and the public key of media tokens.
struct ServiceEndpoints: Face {
    typealias Refusal = WireError

    static let name: StaticString = "service"

    let context: FaceContext
    private let storeReady: Gauge

    init(_ context: FaceContext) {
        self.context = context
        self.storeReady = context.parts.metrics.gauge("latchkey_store_ready", help: "1 while /readyz answers 200.")
    }

    static let all: [Endpoint<ServiceEndpoints>] = [
        watched("/healthz", "healthz", answers: [200], handler: .immediate { _, _ in plain("ok\n") }),
        watched("/readyz", "readyz", answers: [200, 503], handler: .visit { face, _, _ in await face.readiness() }),
        watched(
            "/metrics", "metrics", answers: [200, 404],
            handler: .visit { face, request, _ in await face.metricsResponse(request) }),
        watched(
            "/openapi.json", "openapi", answers: [200, 404],
            handler: .immediate { face, request in
                face.settings.description?.answer(to: request) ?? plain("Not Found\n", status: .notFound)
            }),
        Endpoint(
            [(.get, "/.well-known/media-token-key.pem", "readMediaTokenKeys")], name: "media-token-key", .keys,
            "Get the public keys of token documents", section: "rest-v1 22.5", requestor: .nowhere,
            limits: .publicData, bodyLimit: .page, fields: [],
            answers: [
                APIAnswer(
                    200, "The keys, the one that signs first.",
                    [.init(type: "application/x-pem-file", schema: .text())], headers: [.vary], caching: APIAnswer.kept)
            ], errors: .classic(.authentication), handler: .immediate { face, _ in face.keys }),
    ]

    /// Endpoints that are not described to programmers.
    private static func watched(
        _ path: String, _ name: String, answers: [Int], handler: EndpointHandler<ServiceEndpoints>
    ) -> Endpoint<ServiceEndpoints> {
        Endpoint(
            [(.get, path, name)], name: name, nil, "For operators", section: "an extension of this server",
            requestor: .nowhere, limits: .unlimited, bodyLimit: .page, fields: [],
            answers: answers.map { .empty($0, "A line of text, or what is measured.") },
            errors: .classic(.authentication), handler: handler)
    }

    private var keys: HTTPResponse {
        Answer.content("application/x-pem-file", self.context.parts.mediaTokenKeys().utf8, caching: APIAnswer.kept)
    }

    /// Answers ready when the store would keep a change, the clock is that of the store's machine, no sealing key is
    /// missing, and the server is not about to stop.
    private func readiness() async -> HTTPResponse {
        guard let fault = await self.fault() else {
            return Self.plain(
                self.domain.upkeep.isInStep ? "ready\n" : "ready, but changes of other servers arrive late\n")
        }
        return Self.plain("\(fault)\n", status: .serviceUnavailable)
    }

    /// Why the server is not ready; `nil` when it is.
    private func fault() async -> String? {
        if self.context.parts.isStopping() { return "stopping" }
        guard self.context.isClockRight() else { return "the clock is not that of PostgreSQL" }
        guard !self.domain.upkeep.lacksSealingKey else { return "the key folder lacks the newest sealing key" }
        do {
            try await self.domain.upkeep.checkStore(at: self.domain.uptime())
            return nil
        } catch {
            return error.storeError?.code == .moved
                ? "the file of the store was deleted or replaced" : "the store does not answer"
        }
    }

    private func metricsResponse(_ request: HTTPRequest) async -> HTTPResponse {
        guard self.mayReadMetrics(request) else { return Self.plain("Not Found\n", status: .notFound) }
        self.storeReady.set(await self.fault() == nil ? 1 : 0)
        let text = self.context.parts.metrics.prometheusText()
        return Answer.content("text/plain; version=0.0.4; charset=utf-8", text.utf8)
    }

    /// This machine, and the readers the operator named. A request that a proxy forwarded is not from this machine,
    /// even if the proxy is: neither when the proxy says so, nor when it says nothing and the public host was asked for.
    private func mayReadMetrics(_ request: HTTPRequest) -> Bool {
        let settings = self.settings
        let isVouchedFor =
            settings.trustedProxies.contains(request.remoteAddress) && request.headers.contains("X-Forwarded-For")
        if !isVouchedFor {
            guard !request.isMarkedAsForwarded else { return false }
            if request.remoteAddress.isLoopback, PublicHost(of: settings.publicURL).isAsked(by: request) {
                return false
            }
        }
        let address = ClientAddress.of(request, trusting: settings.trustedProxies)
        return address.isLoopback || settings.metricsReaders.contains(address)
    }

    private static func plain(_ text: String, status: HTTPStatus = .ok) -> HTTPResponse {
        HTTPResponse.text(text, status: status).adding("Cache-Control", "no-store")
    }
}
