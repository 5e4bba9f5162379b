package import Clientless

/// A provider's word that a viewer signed out there.
package struct LogoutNotice: Hashable, Sendable {
    package let issuer: Issuer
    /// All sign-ins of this viewer, or …
    package let subject: String?
    /// … the one of this session. One of both is there.
    package let sessionID: String?
    /// The ID of the token, which counts once; `nil` for front-channel logout, which has none.
    package let tokenID: String?
    /// Until when the token could come again; its ID is remembered so long.
    package let acceptableUntil: Timestamp?
}

extension IDTokenRules {
    /// How old a logout token may be, whatever end it names.
    private static let maximumAge: Duration = .seconds(3_600)
    private static let event = "http://schemas.openid.net/event/backchannel-logout"

    /// Checks a logout token (OpenID Connect Back-Channel Logout 2.6). The caller checks that its ID came once.
    /// - Throws: the first rule that is broken.
    package func checkLogout(_ claims: JSONValue, type: String?, now: Timestamp) throws(TokenFault) -> LogoutNotice {
        // An ID token must not end a session, and a logout token must not begin one (2.6, and RFC 8725 3.11).
        guard type.map({ ["logout+jwt", "application/logout+jwt", "jwt"].contains($0.lowercased()) }) ?? true
        else { throw .type }
        guard self.issuer.isNamed(by: claims["iss"]?.string) else { throw .issuer }
        try self.checkAudience(claims)
        let (issuedAt, expires) = try self.checkLogoutTimes(claims, now: now)
        guard case .object = claims["events"]?[Self.event] else { throw .events }
        guard claims["nonce"] == nil else { throw .nonce }
        let size = Self.maximumNameSize
        guard let tokenID = try claims.name("jti", limit: size, or: .tokenID) else { throw .tokenID }
        let subject = try claims.name("sub", limit: size, or: .subject)
        let session = try claims.name("sid", limit: size, or: .session)
        guard subject != nil || session != nil else { throw .session }
        return LogoutNotice(
            issuer: self.issuer, subject: subject, sessionID: session, tokenID: tokenID,
            acceptableUntil: min(expires, issuedAt + Self.maximumAge) + Self.leeway)
    }

    /// Providers of before 2022 send no `exp`; the age is bounded all the same.
    private func checkLogoutTimes(
        _ claims: JSONValue, now: Timestamp
    ) throws(TokenFault) -> (issuedAt: Timestamp, expires: Timestamp) {
        guard let issuedAt = try claims.moment("iat", or: .issuedAt), issuedAt <= now + Self.leeway
        else { throw .issuedAt }
        let expires = try claims.moment("exp", or: .expired) ?? issuedAt + Self.maximumAge
        guard now < min(expires, issuedAt + Self.maximumAge) + Self.leeway else { throw .expired }
        return (issuedAt, expires)
    }
}
