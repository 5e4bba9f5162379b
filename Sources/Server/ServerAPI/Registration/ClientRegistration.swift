package import Clientless
import Cryptography
package import Entitlement
package import HTTPServer
package import Observability

/// Dynamic client registration and its tokens (rest-v1 10).
package final class ClientRegistration: Sendable {
    let domain: Entitlements
    let accessTokens: AccessTokens
    let statements: SoftwareStatementReader
    let now: @Sendable () -> Timestamp
    let logger: Logger
    private let group: RouteGroup

    package init(
        domain: Entitlements, accessTokens: AccessTokens, statements: SoftwareStatementReader, settings: APISettings,
        throttle: Throttle?, logger: Logger, now: @escaping @Sendable () -> Timestamp
    ) {
        self.domain = domain
        self.accessTokens = accessTokens
        self.statements = statements
        self.now = now
        self.logger = logger.named("registration")
        self.group = .api(throttle: throttle, settings: settings, now: now)
    }

    /// Adds both endpoints.
    package func addRoutes(to router: inout Router) {
        router.on(.post, path: "/o/client/register", name: "client-register", group: self.group) { request in
            .later { await self.answered(request) { try await self.register(request) } }
        }
        router.on(.post, path: "/o/client/token", name: "client-token", group: self.group) { request in
            .later { await self.answered(request) { try await self.issueToken(request) } }
        }
    }

    private func answered(
        _ request: HTTPRequest, _ answer: () async throws -> WireObject
    ) async -> HTTPResponse {
        do {
            return Self.response(try await answer(), status: .created)
        } catch let error as OAuthError {
            return Self.response(WireObject([.init("error", .string(error.code))]), status: error.status)
        } catch {
            self.logger.error(
                "a registration failed",
                [.requestID: .text(request.id.description), .error: .text("\(error)")])
            let isStore = (error as? EntitlementError)?.code == .storeUnavailable
            let answer: OAuthError = isStore ? .temporarilyUnavailable : .serverError
            return Self.response(WireObject([.init("error", .string(answer.code))]), status: answer.status)
        }
    }

    private static func response(_ object: WireObject, status: HTTPStatus) -> HTTPResponse {
        HTTPResponse(
            status: status,
            headers: HTTPHeaders([
                ("Content-Type", "application/json;charset=UTF-8"), ("Cache-Control", "no-store"),
                ("Pragma", "no-cache"),
            ]),
            body: .bytes(JSONWriter.bytes(of: object)))
    }

    /// What is kept of a client secret. The label keeps it apart from other hashes under the same key.
    static func hash(ofSecret secret: String, _ keys: ServerKeys) -> [UInt8] {
        keys.tokens.hash(of: "client-secret/\(secret)")
    }
}
