package import Clientless

/// A TV provider behind one protocol. Implementations live in Providers.
package protocol Provider: Sendable {
    /// Starts a login: where the browser goes next, and what this provider has to know when it comes back.
    func begin(_ login: ProviderLoginContext, now: Timestamp) async throws(ProviderError) -> ProviderStart

    /// Ends a login with what came back from the browser. Called once for what a provider sent the browser back with.
    /// - Parameter state: what ``begin(_:now:)`` returned, on whatever node.
    func complete(
        _ login: ProviderLoginContext, with response: ProviderResponse, state: ProviderState, now: Timestamp
    ) async throws(ProviderError) -> ProviderVerdict

    /// Whether it is asked over a network, where silence means that asking again at once is of no use.
    var isRemote: Bool { get }

    /// Whether deciding and renewing change sessions, as refresh tokens do that count once. The domain then asks one
    /// question at a time about a session, and asks again with a newer session when this one is over
    /// (``ProviderError/Kind/sessionOver``): another node may have changed it.
    var changesSessions: Bool { get }

    /// Decides on resources, in the order asked.
    func decide(
        _ resources: [Resource], requestor: RequestorID, session: ProviderSession, now: Timestamp
    ) async throws(ProviderError) -> ProviderAnswer<[Decision]>

    /// The channels of a session's package, for its viewer to read, as far as the provider said them by itself. No network
    /// is asked for them.
    /// - Returns: `nil` if they are not known without asking for each.
    func lineUp(of session: ProviderSession) async throws(ProviderError) -> [String]?

    /// Vouches for the viewer of a kept session once more, without a browser (sdk-services 6).
    /// - Returns: `nil` when the provider has no such way.
    func renew(
        _ session: ProviderSession, requestor: RequestorID, now: Timestamp
    ) async throws(ProviderError) -> ProviderAnswer<ProviderVerdict?>

    /// Whether the viewer's account is still there, as far as this server's own store tells. Asked when a viewer confirms a
    /// box, which may be minutes after the provider accepted the login.
    func hasAccount(of session: ProviderSession) async throws(ProviderError) -> Bool

    /// Finds the viewer for whom the platform's issuer vouched (rest-v1 21), in the provider's own terms.
    /// - Parameter login: as the issuer says it.
    /// - Returns: `login` itself, if the provider keeps no accounts that it could be told by.
    func recognise(_ login: ProviderLogin) async throws(ProviderError) -> ProviderVerdict

    /// Whether its viewers have accounts in this server's own store, which passkeys may open.
    var keepsAccounts: Bool { get }

    /// An account of this server's own store, and the login of a viewer who proved that it is theirs.
    /// - Returns: `nil` when there is none, as at a provider that keeps its accounts elsewhere.
    func ownAccount(_ reference: AccountReference) async throws(ProviderError) -> OwnAccount?

    /// Ends the viewer's session at the provider, as far as the provider takes that from this server. No caller waits for
    /// it.
    func endSession(_ session: ProviderSession) async throws(ProviderError)

    /// The address where the viewer's browser ends the session at the provider. The provider is not asked for it.
    /// - Returns: `nil` if no browser is needed, or none is of use.
    func logoutAddress(of session: ProviderSession) async throws(ProviderError) -> String?

    /// The metadata of this server for the provider, for anyone to read.
    /// - Returns: `nil` if the operator tells the provider in another way.
    func publication(now: Timestamp) async throws(ProviderError) -> ProviderPublication?

    /// Checks what the provider says of a viewer who signed out there.
    /// - Returns: `nil` when the provider has agreed on no such notices.
    /// - Throws: `unproven` for one that is not the provider's own word.
    func check(_ notice: ProviderNotice, now: Timestamp) async throws(ProviderError) -> CheckedNotice?
}

extension Provider {
    package var changesSessions: Bool { false }

    package func lineUp(of session: ProviderSession) async throws(ProviderError) -> [String]? { nil }

    package var keepsAccounts: Bool { false }

    package func ownAccount(_ reference: AccountReference) async throws(ProviderError) -> OwnAccount? { nil }

    package func renew(
        _ session: ProviderSession, requestor: RequestorID, now: Timestamp
    ) async throws(ProviderError) -> ProviderAnswer<ProviderVerdict?> { ProviderAnswer(nil) }

    package func hasAccount(of session: ProviderSession) async throws(ProviderError) -> Bool { true }
    package func recognise(_ login: ProviderLogin) async throws(ProviderError) -> ProviderVerdict { .accepted(login) }
    package func endSession(_ session: ProviderSession) async throws(ProviderError) {}
    package func logoutAddress(of session: ProviderSession) async throws(ProviderError) -> String? { nil }
    package func publication(now: Timestamp) async throws(ProviderError) -> ProviderPublication? { nil }
    package func check(_ notice: ProviderNotice, now: Timestamp) async throws(ProviderError) -> CheckedNotice? { nil }
}

/// A document of this server for a provider.
package typealias ProviderPublication = (contentType: String, text: String)

package enum ProviderVerdict: Hashable, Sendable {
    case accepted(ProviderLogin)
    case refused(ProviderRefusal)

    /// - Parameter reason: for the viewer.
    package static func refused(reason: String?) -> ProviderVerdict { .refused(ProviderRefusal(.denied, reason)) }
}

/// Why a provider vouches for no viewer.
package struct ProviderRefusal: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The name or the password is wrong. Boxes are told the sentence; the sign-in page has its own, in the
        /// viewer's language.
        case wrongCredentials
        /// The provider does not let the viewer in, for a reason of its own.
        case denied
        /// The viewer turned back at the provider.
        case declined
        /// The provider would have to ask the viewer, which a passive login forbids.
        case needsViewer
    }

    package let kind: Kind
    /// The provider's own, for the viewer.
    package let sentence: String?

    package init(_ kind: Kind, _ sentence: String? = nil) {
        self.kind = kind
        self.sentence = sentence
    }
}

/// A provider did not answer in a usable way.
package struct ProviderError: Error, Hashable, Sendable {
    /// The party that has to act. An operator acts on each in another way, and a viewer is told another sentence.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// No connection, no answer, or an answer that says to come back later.
        case unreachable
        /// Settings, keys, metadata or a certificate do not fit; no viewer can sign in until an operator acts.
        case misconfigured
        /// The browser brought a word that tells of wrong settings. A stranger may have made it up.
        case refused
        /// The browser's answer proves nothing: forged, altered, of another login, too old, used before.
        case unproven
        /// The provider ended the viewer's session, or no longer takes what was kept of it.
        case sessionOver
        /// Any other failure in this server.
        case failed
    }

    package let kind: Kind
    /// For operators; never sent.
    package let detail: String

    package init(_ kind: Kind = .failed, detail: String) {
        self.kind = kind
        self.detail = detail
    }
}

/// A service that answers for a provider whose sign-ins do not say its decisions; it is asked about each viewer by
/// name. It knows no session, and its silence is no matter for sign-ins.
package protocol DecisionPoint: Sendable {
    /// How long an answer may take.
    var time: Duration { get }

    /// Decides on each resource of a question, in the order asked.
    func decide(_ question: DecisionQuestion, now: Timestamp) async throws(ProviderError) -> [Decision]
}

package struct DecisionQuestion: Hashable, Sendable {
    package let requestor: RequestorID
    /// The provider's own, stable ID of the viewer.
    package let viewer: String
    package let resources: [Resource]
}
