/// Why what a browser said of a passkey proves nothing. For tests and operators: a viewer is told one sentence for all.
package enum PasskeyFault: String, Error, Hashable, Sendable, CaseIterable {
    /// Not of the form that WebAuthn gives it, or longer than it may be.
    case malformed
    /// An answer to another kind of question.
    case kind
    /// Not the challenge that was asked in this login, or over.
    case challenge
    /// Made on another site's page, or in a frame.
    case origin
    /// Made for another relying party.
    case party
    /// The authenticator did not see the viewer, or did not verify who it is.
    case viewer
    /// A key of a kind that was not asked for, or that is none.
    case key
    case attestation
    case signature
    /// The credential is another account's, or says so.
    case account
    /// The authenticator counted backwards, as a copy of it would.
    case counter
}
