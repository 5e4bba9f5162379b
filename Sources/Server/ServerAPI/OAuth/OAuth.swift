import Clientless
import Entitlement
import HTTPServer

/// The token endpoint (rest-v1 10.3).
struct OAuth: Face {
    typealias Refusal = OAuthError

    static let name: StaticString = "oauth"

    let context: FaceContext

    private typealias Issued = (id: String, token: String, now: Timestamp)

    private static let token = Shape<Issued>(
        .init("id", \.id, .text(format: "uuid").described("Names the token in the server's log.")),
        .init(
            "access_token", \.token,
            .text(pattern: #"^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$"#).described(
                "A JWT with a numeric `exp`.")),
        .init("created_at", { Int($0.now.milliseconds) }, .integer().described("Milliseconds since 1970.")),
        .init("expires_in", { _ in Int(AccessTokens.lifetime) }, .integer(3600...).described("Seconds.")),
        .init("token_type", { _ in "bearer" }, .constant(.string("bearer"))))

    static let tokenSchema = token.schema(.json)

    static let all: [Endpoint<OAuth>] = [
        Endpoint(
            [(.post, "/o/client/token", "issueToken")], name: "client-token", .registration,
            "Get an access token", "The fields may also stand in the query, with an empty body of any type.",
            section: "rest-v1 10.3", requestor: .nowhere, limits: .registration, bodyLimit: .page,
            fields: [
                .required("grant_type", .choice("client_credentials"), "The only grant there is."),
                .required("client_id", .text(1...256), "As registered."),
                .required("client_secret", .text(1...256), "As registered."),
                .optional(
                    "scope", .text(0...256),
                    "Scopes with spaces or commas between them; all granted ones when left out."),
            ],
            body: .formOrJSON,
            answers: [
                .registration(201, "The token.", .named("AccessToken")),
                .registrationFailure(
                    400, "The call is malformed, or the client may not do this.", "invalid_request", "invalid_client",
                    "unauthorized_client", "unsupported_grant_type"),
            ] + APIAnswer.registrationFailures, errors: .classic(.authentication),
            handler: .open { .oauth(token, try await $0.issueToken($1), status: .created) })
    ]

    private func issueToken(_ call: Call) async throws -> Issued {
        let request = call.request
        let parameters = call.parameters
        // Credentials in a header besides those in the request would be two mechanisms at once.
        guard !request.headers.contains("Authorization")
        else { throw OAuthError.invalidRequest("The client goes into parameters, not into Authorization.") }
        guard !parameters.undeclared.hasRepeatedName else { throw OAuthError.repeatedName }
        guard let grant = parameters["grant_type"], !grant.isEmpty else { throw OAuthError.parameter("grant_type") }
        guard let clientID = parameters["client_id"], (1...256).contains(clientID.utf8.count)
        else { throw OAuthError.parameter("client_id") }
        guard let secret = parameters["client_secret"], !secret.isEmpty
        else { throw OAuthError.parameter("client_secret") }
        guard grant == "client_credentials" else { throw OAuthError.unsupportedGrantType }

        let now = call.now
        guard
            let application = try await self.domain.credentials.authenticateClient(
                clientID, secret: secret, now: now)?.application
        else { throw OAuthError.invalidClient }
        let scopes = try Self.scopes(parameters["scope"], application.grantedScopes)
        let id = randomUUID()
        let token = try self.authenticator.accessTokens.issue(to: clientID, scopes: scopes, id: id, now: now)
        return (id, token, now)
    }

    /// The rights of the token: all the application was granted, or the part that was asked for.
    private static func scopes(_ text: String?, _ granted: Set<Scope>) throws(OAuthError) -> Set<Scope> {
        guard !granted.isEmpty else { throw .unauthorizedClient }
        guard let text, !text.isEmpty else { return granted }
        let names = Scope.names(in: text)
        let asked = Scope.set(of: names)
        guard names.allSatisfy(Scope.isKnown), !asked.isEmpty, asked.isSubset(of: granted)
        else { throw .unauthorizedClient }
        return asked
    }
}
