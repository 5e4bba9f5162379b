import Clientless
import Entitlement
import HTTPServer

/// Dynamic client registration (rest-v1 10.2), and the exchange of a new box's set-up code.
struct ClientRegistration: Face {
    typealias Refusal = OAuthError

    static let name: StaticString = "registration"

    let context: FaceContext

    static let all: [Endpoint<ClientRegistration>] = registerEndpoints + setUpEndpoints
}

// `POST /o/client/register` (rest-v1 10.2).
extension ClientRegistration {
    private typealias Registered = (issued: IssuedClient, redirects: [String], scopes: [String], now: Timestamp)

    /// A client, which is told its secret this once.
    private static let client = Shape<Registered>(
        .init("client_id", \.issued.record.clientID, .text(format: "uuid")),
        .init("client_secret", \.issued.secret, .text(16...256).described("Told this once.")),
        .init("redirect_uris", \.redirects),
        .init("grant_types", { _ in ["client_credentials"] }, .list(of: .constant(.string("client_credentials")))),
        .init("scopes", \.scopes, .list(of: .text(1...64))),
        .init("client_id_issued_at", { Int($0.now.seconds) }, .integer().described("Seconds since 1970.")))

    static let clientSchema = client.schema(.json)

    static let registerEndpoints: [Endpoint<ClientRegistration>] = [
        Endpoint(
            [(.post, "/o/client/register", "registerClient")], name: "client-register", .registration,
            "Register an installation of an application",
            "Every call makes a new client; an installation registers once and keeps what it got.",
            section: "rest-v1 10.2", requestor: .nowhere, limits: .registration, bodyLimit: .page,
            headers: [.deviceInformationHeader],
            fields: [
                .required(
                    "software_statement", .text(1...16_384),
                    "The signed statement that the operator issued for the application."),
                .optional(
                    "redirect_uri", .text(0...4096),
                    "The address that a browser may end at after a login; of a registered domain."),
            ],
            body: .formOrJSON,
            answers: [
                .registration(201, "The client.", .named("Client")),
                .registrationFailure(
                    400, "The call is malformed, or the application may not do this.", "invalid_request",
                    "invalid_redirect_uri", "invalid_software_statement", "unapproved_software_statement"),
            ] + APIAnswer.registrationFailures, errors: .classic(.authentication),
            handler: .open { .oauth(client, try await $0.register($1), status: .created) })
    ]

    private func register(_ call: Call) async throws -> Registered {
        let parameters = try Self.parameters(of: call)
        guard let text = parameters["software_statement"], !text.isEmpty
        else { throw OAuthError.parameter("software_statement") }
        let now = call.now
        let statement = try? SoftwareStatement(
            reading: text, trusting: self.context.parts.statementKeys(), issuer: self.context.parts.accessTokens.issuer,
            at: now)
        guard let statement else { throw OAuthError.invalidSoftwareStatement }
        guard let application = self.domain.credentials.activeApplication(statement.softwareID, at: now)
        else { throw OAuthError.unapprovedSoftwareStatement }
        let redirects = try Self.redirects(parameters["redirect_uri"], application)

        let issued = try await self.domain.credentials.registerClient(
            of: application, redirectURIs: redirects,
            by: Guesser(self.addresses.address(of: call.request).network), now: now)
        return (issued, redirects, Self.scopes(of: statement, application), now)
    }

    /// The names of what the application was granted: as the statement wrote them, where it does (rest-v1 10.5).
    private static func scopes(of statement: SoftwareStatement, _ application: ApplicationRecord) -> [String] {
        let said = Scope.set(of: statement.scopes)
        return !said.isEmpty && said.isSubset(of: application.grantedScopes) ? statement.scopes : application.scopes
    }

    /// The fields of a JSON object or of a form. Readers of either keep one of two equal names, so neither may have two.
    private static func parameters(of call: Call) throws(OAuthError) -> CallParameters {
        let request = call.request
        if FlatJSONObject.isBody(of: request) {
            guard let object = FlatJSONObject(request.body) else {
                throw .invalidRequest("The body is no JSON object.")
            }
            guard !object.hasRepeatedName else { throw .repeatedName }
            return call.parameters.replaced(by: object.parameters)
        }
        let parameters = request.parameters
        guard !parameters.hasRepeatedName else { throw .repeatedName }
        return call.parameters.replaced(by: parameters)
    }

    /// The address that was sent, if the application may be redirected there.
    private static func redirects(_ uri: String?, _ application: ApplicationRecord) throws(OAuthError) -> [String] {
        guard let uri, !uri.isEmpty else { return [] }
        guard let (scheme, host) = RedirectTarget.parts(of: uri) else { throw .invalidRedirectURI }
        let isAllowed =
            if let host {
                RedirectTarget.isBelow(host, application.redirectTargets)
            } else {
                application.redirectTargets.contains { target in
                    target.lowercased().prefix { $0 != ":" } == scheme
                }
            }
        guard isAllowed else { throw .invalidRedirectURI }
        return [uri]
    }
}
