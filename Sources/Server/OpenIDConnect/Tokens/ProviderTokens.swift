package import Clientless
import Cryptography

/// The kept part of a sign-in: enough to ask again, to refresh, and to log out. The caller keeps it sealed, and swaps
/// it as a whole: a refresh token counts once.
package struct ProviderTokens: Hashable, Sendable {
    package let issuer: Issuer
    package let subject: String
    package let sessionID: String?
    /// When the access token ends; `nil` if the provider does not say.
    package let accessExpires: Timestamp?
    /// Whether the sign-in can be renewed without the viewer.
    package var isRenewable: Bool { self.refreshToken != nil }
    private(set) var accessToken: String
    let refreshToken: String?
    /// For the provider's logout, which knows the viewer by it.
    package private(set) var idToken: String?

    package var json: JSONValue {
        .members([
            "issuer": self.issuer.json, "subject": .string(self.subject),
            "sessionID": self.sessionID.map { .string($0) },
            "accessExpires": self.accessExpires.map { .integer($0.milliseconds) },
            "accessToken": .string(self.accessToken), "refreshToken": self.refreshToken.map { .string($0) },
            "idToken": self.idToken.map { .string($0) },
        ])
    }
}

extension ProviderTokens {
    /// - Returns: `nil` for anything but ``json``.
    package init?(_ json: JSONValue) {
        guard let issuer = Issuer(json["issuer"]), let subject = json["subject"]?.string,
            let accessToken = json["accessToken"]?.string
        else { return nil }
        self.init(
            issuer: issuer, subject: subject, sessionID: json["sessionID"]?.string,
            accessExpires: json["accessExpires"]?.integer.map { Timestamp(milliseconds: $0) }, accessToken: accessToken,
            refreshToken: json["refreshToken"]?.string, idToken: json["idToken"]?.string)
    }

    /// The same for a caller who keeps them: without the access token, which has opened what it is for.
    /// - Parameter hint: whether the ID token stays, by which the provider's logout knows the viewer.
    package func kept(withHint hint: Bool) -> ProviderTokens {
        var copy = self
        copy.accessToken = ""
        if !hint { copy.idToken = nil }
        return copy
    }
}

extension ProviderTokens: Redacted {
    package var description: String { "<tokens of \(self.issuer)>" }
}

/// A viewer whom a provider vouches for.
package struct ProviderSignIn: Sendable {
    /// To be kept.
    package let tokens: ProviderTokens
    /// `nil` after a refresh whose answer held none.
    package let idToken: IDToken?
    /// The provider's claims about the viewer: the claims of the ID token, and those of userinfo that are not among
    /// them.
    package let claims: JSONValue
}
