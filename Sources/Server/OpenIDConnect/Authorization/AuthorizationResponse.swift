import Cryptography

/// The code that a browser brought back; spent by one token request.
package struct AuthorizationCode: Sendable, Redacted {
    let text: String
}

/// The answer that a browser brings back from a provider (RFC 6749 4.1.2, RFC 9207).
package enum AuthorizationResponse {
    /// The longest code that is taken, in bytes.
    package static let maximumCodeSize = 4_096

    /// - Parameter parameters: the query's or the form's, all of them.
    /// - Throws: `mixUp` when the answer is another provider's or another request's; `refused`; `field`.
    package static func read(
        _ parameters: [(name: String, value: String)], of attempt: AuthorizationAttempt, state: String,
        metadata: ProviderMetadata
    ) throws(OpenIDConnectFault) -> AuthorizationCode {
        var values: [String: String] = [:]
        for (name, value) in parameters where ["code", "state", "iss", "error", "response"].contains(name) {
            // RFC 6749 3.1: "parameters MUST NOT be included more than once".
            guard values.updateValue(value, forKey: name) == nil
            else { throw OpenIDConnectFault(.authorization, .field(name)) }
        }
        guard let given = values["state"], constantTimeEqual(Array(given.utf8), Array(state.utf8)),
            attempt.issuer == metadata.issuer
        else { throw OpenIDConnectFault(.authorization, .mixUp) }
        // RFC 9207 2.4: compared whether or not the provider announced it, and missed where it did.
        let isNamed = values["iss"].map { attempt.issuer.isNamed(by: $0) } ?? !metadata.namesItselfInAnswers
        guard isNamed else { throw OpenIDConnectFault(.authorization, .mixUp) }
        if let error = values["error"] {
            throw OpenIDConnectFault(.authorization, .refused(ProviderErrorCode(error)))
        }
        guard let code = values["code"], (1...Self.maximumCodeSize).contains(code.utf8.count)
        else { throw OpenIDConnectFault(.authorization, .field("code")) }
        return AuthorizationCode(text: code)
    }
}
