package import Clientless

/// The content of a verified and fitting ID token.
package struct IDToken: Hashable, Sendable {
    package let subject: String
    /// The viewer's session at the provider, by which its logout names it.
    package let sessionID: String?
    package let issuedAt: Timestamp
    package let expires: Timestamp
    /// All claims, as they came.
    package let claims: JSONValue
}

/// The conditions for an ID token to count here and now (OpenID Connect Core 3.1.3.7, 12.2).
package struct IDTokenRules: Sendable {
    /// The most that clocks may differ.
    package static let leeway: Duration = .seconds(300)
    /// The longest subject and session ID, in bytes (OpenID Connect Core 2 says 255 of a subject).
    package static let maximumNameSize = 255

    package let issuer: Issuer
    package let clientID: String

    package init(issuer: Issuer, clientID: String) {
        self.issuer = issuer
        self.clientID = clientID
    }

    /// - Parameters:
    ///   - algorithm: the one that the token was verified with; its digest makes the hashes.
    ///   - answered: the attempt that it ends, with the code that it was given for.
    /// - Throws: the first rule that is broken.
    package func check(
        _ claims: JSONValue, algorithm: SignatureAlgorithm,
        answering answered: (attempt: AuthorizationAttempt, code: String)? = nil, accessToken: String? = nil,
        renewing former: ProviderTokens? = nil, now: Timestamp
    ) throws(TokenFault) -> IDToken {
        let subject = try self.subject(claims)
        try self.checkAudience(claims)
        let (issuedAt, expires) = try self.checkTimes(claims, now: now)
        if let (attempt, _) = answered {
            // The answer to this attempt and to no other: a code taken from another browser brings another nonce.
            guard let nonce = claims["nonce"]?.string, nonce.utf8.elementsEqual(attempt.nonce.utf8)
            else { throw .nonce }
        }
        if let former {
            guard former.issuer == self.issuer, former.subject.utf8.elementsEqual(subject.utf8)
            else { throw .changedViewer }
        }
        if let accessToken, let hash = claims["at_hash"] {
            guard hash.string == algorithm.hash(of: accessToken) else { throw .accessTokenHash }
        }
        if let (_, code) = answered, let hash = claims["c_hash"] {
            guard hash.string == algorithm.hash(of: code) else { throw .codeHash }
        }
        return IDToken(
            subject: subject, sessionID: try claims.name("sid", limit: Self.maximumNameSize, or: .session),
            issuedAt: issuedAt, expires: expires, claims: claims)
    }

    /// The issuer is the expected one, and names a viewer.
    private func subject(_ claims: JSONValue) throws(TokenFault) -> String {
        guard self.issuer.isNamed(by: claims["iss"]?.string) else { throw .issuer }
        guard let subject = try claims.name("sub", limit: Self.maximumNameSize, or: .subject) else { throw .subject }
        return subject
    }

    func checkAudience(_ claims: JSONValue) throws(TokenFault) {
        let audiences: [String]
        switch claims["aud"] {
        case .string(let audience): audiences = [audience]
        case .array(let values) where values.count <= 64:
            audiences = values.compactMap(\.string)
            guard audiences.count == values.count else { throw .audience }
        default: throw .audience
        }
        // Others that a token is for could show it here as theirs.
        guard !audiences.isEmpty, audiences.allSatisfy({ $0.utf8.elementsEqual(self.clientID.utf8) })
        else { throw .audience }
        let party = claims["azp"]
        // OpenID Connect Core 3.1.3.7, 4 and 5.
        guard party != nil || audiences.count == 1 else { throw .authorizedParty }
        if let party {
            guard let party = party.string, party.utf8.elementsEqual(self.clientID.utf8) else { throw .authorizedParty }
        }
    }

    func checkTimes(
        _ claims: JSONValue, now: Timestamp
    ) throws(TokenFault) -> (issuedAt: Timestamp, expires: Timestamp) {
        guard let expires = try claims.moment("exp", or: .expired), now < expires + Self.leeway
        else { throw .expired }
        guard let issuedAt = try claims.moment("iat", or: .issuedAt), issuedAt <= now + Self.leeway
        else { throw .issuedAt }
        if let start = try claims.moment("nbf", or: .notYetValid), start > now + Self.leeway { throw .notYetValid }
        return (issuedAt, expires)
    }
}

extension JSONValue {
    /// The time of a claim; `nil` if there is none.
    func moment(_ name: String, or fault: TokenFault) throws(TokenFault) -> Timestamp? {
        guard let value = self[name], value != .null else { return nil }
        guard let moment = value.moment else { throw fault }
        return moment
    }

    /// A text of 1 to `limit` bytes; `nil` if there is none.
    func name(_ name: String, limit: Int, or fault: TokenFault) throws(TokenFault) -> String? {
        guard let value = self[name], value != .null else { return nil }
        guard let text = value.string, (1...limit).contains(text.utf8.count) else { throw fault }
        return text
    }
}
