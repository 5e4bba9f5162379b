package import Clientless
package import Cryptography
package import Entitlement
package import HTTPServer
package import Observability

/// Every face of the server, put together: the one wiring, of the program and of the tests.
package struct Faces: Sendable {
    package struct Parts: Sendable {
        package let domain: Entitlements
        package var settings: APISettings
        package let accessTokens: AccessTokens
        /// The keys of software statements that count, newest first; asked with every statement.
        package let statementKeys: @Sendable () -> [RSAPublicKey]
        /// The signer of the software statement of a set-up code; `nil` if there is no key.
        package var statementKey: @Sendable () -> RSAPrivateKey? = { nil }
        /// The public keys of media tokens of the moment in PEM, the one that signs first (rest-v1 22.5).
        package let mediaTokenKeys: @Sendable () -> String
        /// Whether the server is about to go, and wants no new work.
        package let isStopping: @Sendable () -> Bool
        package let metrics: Metrics
        package let logger: Logger
        package let now: @Sendable () -> Timestamp

        package init(
            domain: Entitlements, settings: APISettings, accessTokens: AccessTokens,
            statementKeys: @escaping @Sendable () -> [RSAPublicKey], mediaTokenKeys: @escaping @Sendable () -> String,
            isStopping: @escaping @Sendable () -> Bool,
            metrics: Metrics, logger: Logger, now: @escaping @Sendable () -> Timestamp
        ) {
            self.domain = domain
            self.settings = settings
            self.accessTokens = accessTokens
            self.statementKeys = statementKeys
            self.mediaTokenKeys = mediaTokenKeys
            self.isStopping = isStopping
            self.metrics = metrics
            self.logger = logger
            self.now = now
        }
    }

    private let context: FaceContext
    let screen: SecondScreen
    private let faces: [any Face]

    /// - Throws: the fault of a template or a sentence, so that the server does not start with it.
    package init(_ parts: Parts) throws(TemplateFault) {
        let context = FaceContext(parts)
        self.context = context
        let screen = try SecondScreen(context)
        self.screen = screen
        self.faces = [
            RESTv1(context), SDKServices(context: context),
            ClientRegistration(context: context), OAuth(context: context), screen,
            Callbacks(context: context, screen: screen), Management(context: context), ServiceEndpoints(context),
        ]
    }

    /// Every endpoint of every face, and the answers no endpoint gives.
    package func router() -> Router {
        var router = Router()
        router.normaliser = ServicePaths.normaliser(suffixesBelow: APIDescription.firstSegments)
        router.preflight = { self.preflight($0) }
        router.fallback = { self.fallback($0, $1) }
        let (origins, transport) = (self.context.origins, self.context.transport)
        router.fallbackGroup = RouteGroup(decorate: { CommonHeaders.decorate($0, &$1, origins, transport) })
        for face in self.faces { self.add(face, to: &router) }
        return router
    }

    private func add<F: Face>(_ face: F, to router: inout Router) {
        for endpoint in face.endpoints { Pipeline(endpoint, of: face).addRoutes(to: &router) }
    }

    /// The answer to `OPTIONS`, for origins that may call (rest-v1 3.7).
    private func preflight(_ request: HTTPRequest) -> HTTPResponse {
        guard let origin = request.headers["Origin"], !self.context.origins.admits(origin)
        else { return CommonHeaders.preflight(request) }
        return HTTPResponse(status: .noContent)
    }

    /// Words the answers no route gives as the faces do: a page for a person, else in the form asked for (rest-v1 3.3),
    /// as the face has it that the path belongs to.
    private func fallback(_ request: HTTPRequest, _ status: HTTPStatus) -> HTTPResponse {
        let preference = Call.preference(of: request, request.query)
        if preference.isForPeople { return self.screen.problemPage(status, for: request) }
        let path = request.path
        let owner = self.faces.first { face in type(of: face).prefixes.contains { path.hasPrefix($0) } }
        return Answer.error(
            WireError(status, status.reason), preference.format,
            owner?.unroutedStyle(of: request, status) ?? nil)
    }
}
