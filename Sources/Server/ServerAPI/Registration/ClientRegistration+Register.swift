import Clientless
import Cryptography
import Entitlement
import HTTPServer

// `POST /o/client/register` (rest-v1 10.2).
extension ClientRegistration {
    func register(_ request: HTTPRequest) async throws -> WireObject {
        let parameters = try Self.parameters(of: request)
        guard let statement = parameters["software_statement"], !statement.isEmpty
        else { throw OAuthError.invalidRequest }
        let now = self.now()
        guard let softwareID = self.statements.softwareID(of: statement, now: now)
        else { throw OAuthError.invalidSoftwareStatement }
        guard let application = self.domain.credentials.application(softwareID),
            application.ends.map({ now < $0 }) ?? true
        else { throw OAuthError.unapprovedSoftwareStatement }
        let redirects = try Self.redirects(parameters["redirect_uri"], application)

        let secret = Hex.encode(SecureRandom.bytes(32))
        let client = ClientRecord(
            clientID: randomUUID(), secretHash: Self.hash(ofSecret: secret, self.domain.keys),
            softwareID: softwareID, redirectURIs: redirects, created: now)
        try await self.domain.credentials.register(client)
        return WireObject([
            .init("client_id", .string(client.clientID)), .init("client_secret", .string(secret)),
            .init("redirect_uris", .array(redirects.map { .string($0) })),
            .init("grant_types", .array([.string("client_credentials")])),
            .init("scopes", .array(application.scopes.map { .string($0) })),
            .init("client_id_issued_at", .integer(now.seconds)),
        ])
    }

    /// JSON, or a form. A JSON object cannot repeat a name in the eyes of its reader, so the bytes are looked at.
    private static func parameters(of request: HTTPRequest) throws(OAuthError) -> HTTPParameters {
        guard JSONObjectParameters.isJSON(request) else {
            let parameters = request.parameters
            guard !parameters.hasRepeatedName else { throw .invalidRequest }
            return parameters
        }
        guard let parameters = JSONObjectParameters.read(request.body), !JSONObjectNames.areRepeated(in: request.body)
        else { throw .invalidRequest }
        return parameters
    }

    /// What was sent, if the application may be redirected there.
    private static func redirects(
        _ uri: String?, _ application: ApplicationRecord
    ) throws(OAuthError) -> [String] {
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
