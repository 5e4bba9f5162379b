import Clientless
import HTTPClient

/// The answer of the token endpoint (RFC 6749 5.1, OpenID Connect Core 3.1.3.3).
struct TokenAnswer: Sendable {
    /// The largest answer that is read.
    static let maximumSize = 128 << 10
    /// The longest access or refresh token that is kept, in bytes.
    static let maximumTokenSize = 16 << 10

    let accessToken: String
    let refreshToken: String?
    let idToken: String?
    /// How long the access token counts, in seconds.
    let lifetime: Int64?

    /// - Throws: `refused`, `status`, `unreadable`, `field`.
    init(_ answer: HTTPClient.Response, step: OpenIDConnectFault.Step) throws(OpenIDConnectFault) {
        try answer.requireSuccess(step)
        guard let document = ForeignJSON.object(answer.body, limit: Self.maximumSize)
        else { throw OpenIDConnectFault(step, .unreadable) }
        guard let type = document["token_type"]?.string, type.lowercased() == "bearer"
        else { throw OpenIDConnectFault(step, .field("token_type")) }
        guard let accessToken = try Self.text(document, "access_token", Self.maximumTokenSize, step)
        else { throw OpenIDConnectFault(step, .field("access_token")) }
        self.accessToken = accessToken
        self.refreshToken = try Self.text(document, "refresh_token", Self.maximumTokenSize, step)
        self.idToken = try Self.text(document, "id_token", SignedToken.maximumSize, step)
        switch document["expires_in"] {
        case nil, .null: self.lifetime = nil
        case .integer(let seconds) where seconds >= 0: self.lifetime = min(seconds, 10 * 366 * 86_400)
        case .double(let seconds) where seconds >= 0 && seconds < 1e9: self.lifetime = Int64(seconds)
        // Some providers write the number as a text.
        case .string(let text) where text.utf8.count <= 9 && Int64(text) ?? -1 >= 0: self.lifetime = Int64(text)
        case .integer, .double, .string, .boolean, .array, .object:
            throw OpenIDConnectFault(step, .field("expires_in"))
        }
    }

    /// A text of visible ASCII, as tokens are (RFC 6750 2.1), so that it can stand in a header.
    private static func text(
        _ document: JSONValue, _ name: String, _ limit: Int, _ step: OpenIDConnectFault.Step
    ) throws(OpenIDConnectFault) -> String? {
        guard let value = document[name], value != .null else { return nil }
        guard let text = value.string, (1...limit).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw OpenIDConnectFault(step, .field(name)) }
        return text
    }
}

extension HTTPClient.Response {
    /// - Throws: `refused` with the provider's code where it gives one (RFC 6749 5.2); otherwise `status`.
    func requireSuccess(_ step: OpenIDConnectFault.Step) throws(OpenIDConnectFault) {
        guard !(200...299).contains(self.status) else { return }
        if (400...499).contains(self.status), self.status != 429,
            let code = ForeignJSON.object(self.body, limit: 16 << 10)?["error"]?.string
        {
            throw OpenIDConnectFault(step, .refused(ProviderErrorCode(code)))
        }
        throw OpenIDConnectFault(step, .status(self.status))
    }
}
