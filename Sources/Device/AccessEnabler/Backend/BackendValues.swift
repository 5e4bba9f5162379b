import Clientless
import Cryptography

/// Proof for some hours, and when to get a new one, shortly before it runs out, by the server's clock.
typealias AccessToken = (text: Secret, renewAt: Timestamp)

/// A sign-in as the SDK services hand it out (sdk-services 3).
struct NativeSession: Sendable {
    let token: AuthenticationToken
    /// The payload of access-enabler 13.3.
    let userMetadata: String?
}

/// The server's answer to "signed in yet?".
struct PollAnswer: Sendable {
    enum Verdict: Sendable {
        case signedIn(NativeSession)
        case notYet
        /// 410: the code expired, or was declined or cancelled, which ``PollAnswer/state`` tells apart. 404: there is no
        /// such code, or not of this requestor.
        case over(isUnknown: Bool)
    }

    let verdict: Verdict
    /// `nil` from servers that do not say.
    let state: AccessEnabler.CodeState?
    /// Whether a viewer entered the code; never of servers that do not say.
    let isOpened: Bool
    /// The words of a provider that refused a login, untrusted.
    let providerReason: String?
    /// Whether the server honoured the wish to hold the question.
    let isHeld: Bool
}
