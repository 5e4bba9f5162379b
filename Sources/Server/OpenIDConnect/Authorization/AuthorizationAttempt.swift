import Cryptography

/// The state of a sign-in from its beginning when the browser comes back. The caller keeps it sealed
/// with its own login; it is used once.
package struct AuthorizationAttempt: Hashable, Sendable, Codable {
    /// The provider that the browser was sent to: an answer of another one is none.
    package let issuer: Issuer
    /// The address that the browser comes back to.
    package let redirectAddress: String
    /// How long ago at most the viewer may have typed the password, in seconds; `nil` for any time.
    package let maximumAge: Int64?
    /// Whether the provider was asked to show no page.
    package let isPassive: Bool
    let nonce: String
    let verifier: String

    /// - Parameter random: gives so many bytes that no guesser can foretell.
    package init(
        issuer: Issuer, redirectAddress: String, wishes: AuthorizationWishes,
        random: (_ count: Int) -> [UInt8] = SecureRandom.bytes
    ) {
        self.issuer = issuer
        self.redirectAddress = redirectAddress
        self.maximumAge = wishes.maximumAge.map(\.components.seconds)
        self.isPassive = wishes.prompt == Prompt.none
        self.nonce = Base64.encodeURL(random(32))
        // RFC 7636 4.1: 43 to 128 characters; 32 random bytes make 43.
        self.verifier = Base64.encodeURL(random(32))
    }

    /// RFC 7636 4.2.
    var challenge: String { Base64.encodeURL(Digest.sha256(self.verifier.utf8)) }
}

extension AuthorizationAttempt: CustomStringConvertible, CustomReflectable {
    package var description: String { "<attempt at \(self.issuer)>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// Whether the provider shows pages (OpenID Connect Core 3.1.2.1).
package enum Prompt: String, Sendable, Hashable {
    /// No page: either the viewer is known there, or the answer is `login_required`.
    case none
    /// The password, although the viewer may be known there.
    case login
    case consent
    case selectAccount = "select_account"
}

/// The wishes of one sign-in beside the registration.
package struct AuthorizationWishes: Hashable, Sendable {
    package var prompt: Prompt?
    package var maximumAge: Duration?
    /// The viewer's languages, the best first (RFC 5646). At most eight are sent.
    package var languages: [String] = []
    /// The name that the viewer may have there; at most 256 bytes, left out otherwise.
    package var loginHint: String?
    package var acrValues: [String] = []

    package init() {}

    var parameters: [(String, String)] {
        var parameters: [(String, String)] = []
        if let prompt = self.prompt { parameters.append(("prompt", prompt.rawValue)) }
        if let age = self.maximumAge { parameters.append(("max_age", String(max(0, age.components.seconds)))) }
        let languages = self.languages.filter { (1...35).contains($0.utf8.count) && $0.utf8.allSatisfy(isTagByte) }
        if !languages.isEmpty { parameters.append(("ui_locales", languages.prefix(8).joined(separator: " "))) }
        if let hint = self.loginHint, (1...256).contains(hint.utf8.count) { parameters.append(("login_hint", hint)) }
        if !self.acrValues.isEmpty { parameters.append(("acr_values", self.acrValues.joined(separator: " "))) }
        return parameters
    }
}

/// The characters of a language tag (RFC 5646 2.1).
private func isTagByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
        true
    default: false
    }
}
