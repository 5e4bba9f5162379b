package import Clientless
import Cryptography

/// The state of a sign-in from its beginning when the browser comes back. The caller keeps it sealed
/// with its own login; it is used once.
package struct AuthorizationAttempt: Hashable, Sendable {
    /// The provider that the browser was sent to: an answer of another one is none.
    package let issuer: Issuer
    package let redirectAddress: String
    /// Whether the provider was asked to show no page: either the viewer is known there, or the answer is
    /// `login_required`.
    package let isPassive: Bool
    let nonce: String
    let verifier: String

    /// - Parameter random: gives so many bytes that no guesser can foretell.
    package init(
        issuer: Issuer, redirectAddress: String, isPassive: Bool = false,
        random: (_ count: Int) -> [UInt8] = SecureRandom.bytes
    ) {
        self.issuer = issuer
        self.redirectAddress = redirectAddress
        self.isPassive = isPassive
        self.nonce = Base64.encodeURL(random(32))
        // RFC 7636 4.1: 43 to 128 characters; 32 random bytes make 43.
        self.verifier = Base64.encodeURL(random(32))
    }

    /// - Returns: `nil` for anything but ``json``.
    package init?(_ json: JSONValue) {
        guard let issuer = Issuer(json["issuer"]), let redirectAddress = json["redirectAddress"]?.string,
            let isPassive = json["isPassive"]?.boolean, let nonce = json["nonce"]?.string,
            let verifier = json["verifier"]?.string
        else { return nil }
        (self.issuer, self.redirectAddress, self.isPassive) = (issuer, redirectAddress, isPassive)
        (self.nonce, self.verifier) = (nonce, verifier)
    }

    package var json: JSONValue {
        [
            "issuer": self.issuer.json, "redirectAddress": .string(self.redirectAddress),
            "isPassive": .boolean(self.isPassive), "nonce": .string(self.nonce), "verifier": .string(self.verifier),
        ]
    }

    /// RFC 7636 4.2.
    var challenge: String { Base64.encodeURL(Digest.sha256(self.verifier.utf8)) }
}

extension AuthorizationAttempt: Redacted {
    package var description: String { "<attempt at \(self.issuer)>" }
}
