/// An error code of a provider: RFC 6749 4.1.2.1 and 5.2, OpenID Connect Core 3.1.2.6.
package enum ProviderErrorCode: Hashable, Sendable {
    case accessDenied, loginRequired, interactionRequired, consentRequired, accountSelectionRequired
    case serverError, temporarilyUnavailable
    case invalidGrant, invalidToken, invalidRequest, unauthorizedClient, invalidClient, invalidScope
    case unsupportedResponseType, unsupportedGrantType
    /// 1 to 64 bytes of letters, digits, `_`, `-` and `.`.
    case other(String)

    private static let known: [String: ProviderErrorCode] = [
        "access_denied": .accessDenied, "login_required": .loginRequired, "interaction_required": .interactionRequired,
        "consent_required": .consentRequired, "account_selection_required": .accountSelectionRequired,
        "server_error": .serverError, "temporarily_unavailable": .temporarilyUnavailable,
        "invalid_grant": .invalidGrant, "invalid_token": .invalidToken,
        "invalid_request": .invalidRequest, "unauthorized_client": .unauthorizedClient,
        "invalid_client": .invalidClient, "invalid_scope": .invalidScope,
        "unsupported_response_type": .unsupportedResponseType, "unsupported_grant_type": .unsupportedGrantType,
    ]

    /// Any text is an error: what cannot be shown in a log becomes `other("unreadable")`.
    package init(_ code: String) {
        if let known = Self.known[code] {
            self = known
            return
        }
        let isFit = (1...64).contains(code.utf8.count) && code.utf8.allSatisfy(Self.isPlain)
        self = .other(isFit ? code : "unreadable")
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}

extension ProviderErrorCode: CustomStringConvertible {
    package var description: String {
        if case .other(let code) = self { return code }
        return Self.known.first { $0.value == self }?.key ?? "unreadable"
    }
}
