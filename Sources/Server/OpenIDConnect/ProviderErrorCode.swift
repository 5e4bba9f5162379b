import Clientless

/// An error code of a provider: RFC 6749 4.1.2.1 and 5.2, OpenID Connect Core 3.1.2.6.
package struct ProviderErrorCode: Hashable, Sendable, CustomStringConvertible {
    package static let accessDenied = Self("access_denied")
    package static let loginRequired = Self("login_required")
    package static let interactionRequired = Self("interaction_required")
    package static let consentRequired = Self("consent_required")
    package static let accountSelectionRequired = Self("account_selection_required")
    package static let serverError = Self("server_error")
    package static let temporarilyUnavailable = Self("temporarily_unavailable")
    package static let invalidGrant = Self("invalid_grant")
    package static let invalidToken = Self("invalid_token")
    package static let invalidClient = Self("invalid_client")
    package static let unauthorizedClient = Self("unauthorized_client")

    /// 1 to 64 bytes of letters, digits, `_`, `-` and `.`.
    package let description: String

    /// Any text is an error: what cannot be shown in a log becomes `unreadable`.
    package init(_ code: String) {
        let isFit =
            (1...64).contains(code.utf8.count)
            && code.utf8.allSatisfy { isIdentifierByte($0) || $0 == UInt8(ascii: ".") }
        self.description = isFit ? code : "unreadable"
    }
}
