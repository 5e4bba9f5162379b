/// Why a token, or a signed answer, was not taken. Holds no word of the token.
package enum TokenFault: String, Error, Hashable, Sendable {
    // The form
    case malformed = "the token is not a signed JSON Web Token"
    case encrypted = "the token is encrypted, which is not supported"
    /// Not one of the algorithms agreed upon: `none`, a shared secret, or a weaker one than the provider announced.
    case algorithm = "the token is signed in a way that was not agreed upon"
    // The proof
    case unknownKey = "the provider publishes no key for the token"
    case signature = "the signature does not match"
    // The claims
    case issuer = "the token is of another issuer"
    case subject = "the token names no subject, or one that is too long"
    case audience = "the token is meant for another client"
    case authorizedParty = "the token was issued to another client"
    case expired = "the token has expired"
    case notYetValid = "the token is not valid yet"
    case issuedAt = "the token does not say when it was issued, or says a time to come"
    case nonce = "the token answers another request"
    case accessTokenHash = "the token belongs to another access token"
    case codeHash = "the token belongs to another code"
    /// Another viewer, or another provider, than the sign-in began with.
    case changedViewer = "the answer is of another viewer"
    // Logout tokens
    case events = "the token is no logout token"
    case session = "the logout token names neither a viewer nor a session"
    case tokenID = "the logout token has no ID"
    case type = "the token says it is of another type"
}

extension TokenFault: CustomStringConvertible {
    package var description: String { self.rawValue }
}
