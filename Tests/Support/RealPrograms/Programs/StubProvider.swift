import Clientless
import Cryptography
import FoundationEssentials
package import TestSupport

/// A TV provider with OpenID Connect in this process, which accepts every viewer at once, or says nothing at all.
package final class StubProvider: Sendable {
    package static let client = "latchkey"

    private let server: ScriptedServer
    private let key: ECPrivateKey
    package let url: String

    /// - Parameter gate: held shut, it never answers.
    package init(gate: Gate? = nil) throws {
        let key = try ECPrivateKey.generate()
        self.key = key
        let keys = try Self.keySet(key)
        self.server = try ScriptedServer { request in
            gate?.wait()
            let url = "http://\(request.headers["host"] ?? "")"
            switch request.path {
            case "/.well-known/openid-configuration": return .response(200, body: Self.metadata(url))
            case "/keys": return .response(200, body: keys)
            case "/token":
                // The code is the nonce of the request, which this provider remembers in no other way.
                let nonce = Self.parameters(request.text)["code"] ?? ""
                let claims: [JSONValue.Member] = [
                    .init("iss", .string(url)), .init("sub", .string(Self.subject(nonce: nonce))),
                    .init("aud", .string(Self.client)), .init("nonce", .string(nonce)),
                ]
                guard let token = try? Self.token(claims, type: "JWT", key) else { return .response(500) }
                return .response(
                    200, headers: ["Content-Type": "application/json", "Cache-Control": "no-store"],
                    body: #"{"access_token":"a","token_type":"Bearer","expires_in":3600,"id_token":"\#(token)"}"#)
            default: return .response(404)
            }
        }
        self.url = self.server.url
    }

    /// Where the provider sends a browser that comes with `address`.
    package static func answer(to address: String, at callback: String) throws -> String {
        let query = address.split(separator: "?", maxSplits: 1).last.map(String.init) ?? ""
        let parameters = self.parameters(query)
        guard let state = parameters["state"], let nonce = parameters["nonce"]
        else { throw GaveUp(description: "the browser was sent to \(address)") }
        return "\(callback)?code=\(nonce)&state=\(state)"
    }

    /// What the provider calls the viewer whom it sends back to `address`.
    package static func subject(of address: String) throws -> String {
        let query = address.split(separator: "?", maxSplits: 1).last.map(String.init) ?? ""
        guard let code = self.parameters(query)["code"] else { throw GaveUp(description: "no code in \(address)") }
        return self.subject(nonce: code)
    }

    /// A signed notice that a viewer signed out (OpenID Connect Back-Channel Logout 2.4).
    /// - Parameters:
    ///   - id: the ID of the notice.
    ///   - issuer: what it says of its origin; `nil` is this provider.
    package func logoutToken(of subject: String, id: String, issuer: String? = nil) throws -> String {
        let event = "http://schemas.openid.net/event/backchannel-logout"
        return try Self.token(
            [
                .init("iss", .string(issuer ?? self.url)), .init("aud", .string(Self.client)),
                .init("sub", .string(subject)), .init("jti", .string(id)),
                .init("events", .object([.init(event, .object([]))])),
            ], type: "logout+jwt", self.key)
    }

    /// A provider of a configuration that is at `url`.
    package static func settings(_ id: String, at url: String) -> JSON {
        [
            "id": .text(id), "name": .text(id), "kind": "oidc",
            "oidc": ["issuer": .text(url), "clientID": .text(self.client), "lineUp": ["*"], "userInfo": false],
        ]
    }

    private static func metadata(_ url: String) -> String {
        """
        {"issuer":"\(url)","authorization_endpoint":"\(url)/authorize","token_endpoint":"\(url)/token",
        "jwks_uri":"\(url)/keys","response_types_supported":["code"],"subject_types_supported":["public"],
        "id_token_signing_alg_values_supported":["ES256"],"code_challenge_methods_supported":["S256"]}
        """
    }

    private static func keySet(_ key: ECPrivateKey) throws -> String {
        // The end of a SubjectPublicKeyInfo on P-256 is 4, x and y.
        let lines = try key.verificationKey.pem().split(separator: "\n").filter { !$0.hasPrefix("-----") }
        let point = (Base64.decodeTolerantly(lines.joined()) ?? []).suffix(64)
        let (x, y) = (Base64.encodeURL(point.prefix(32)), Base64.encodeURL(point.suffix(32)))
        return #"{"keys":[{"kty":"EC","crv":"P-256","kid":"1","x":"\#(x)","y":"\#(y)"}]}"#
    }

    private static func subject(nonce: String) -> String { "viewer of \(nonce)" }

    /// Claims with their times, signed.
    private static func token(_ claims: [JSONValue.Member], type: String, _ key: ECPrivateKey) throws -> String {
        let now = Int64(Date().timeIntervalSince1970)
        let times: [JSONValue.Member] = [.init("exp", .integer(now + 300)), .init("iat", .integer(now))]
        let header: [JSONValue.Member] = [
            .init("alg", .string("ES256")), .init("kid", .string("1")), .init("typ", .string(type)),
        ]
        return try CompactToken.write(header: .object(header), claims: .object(claims + times)) {
            text throws(CryptographyError) in
            try key.joseSignature(for: text)
        }
    }

    private static func parameters(_ text: String) -> [String: String] {
        var values: [String: String] = [:]
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { continue }
            values[String(parts[0])] = String(parts[1])
        }
        return values
    }
}
