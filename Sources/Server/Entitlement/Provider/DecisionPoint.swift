package import Clientless

/// A service that answers for a provider whose sign-ins do not say its decisions; it is asked about each viewer by
/// name. It knows no session, and its silence is no matter for sign-ins.
package protocol DecisionPoint: Sendable {
    /// How long an answer may take.
    var time: Duration { get }

    /// Decides on each resource of a question, in the order asked.
    func decide(_ question: DecisionQuestion, now: Timestamp) async throws(ProviderError) -> [Decision]
}

/// The question to a ``DecisionPoint``.
package struct DecisionQuestion: Hashable, Sendable {
    package let requestor: RequestorID
    /// The provider's own, stable ID of the viewer.
    package let viewer: String
    package let resources: [Resource]

    package init(requestor: RequestorID, viewer: String, resources: [Resource]) {
        self.requestor = requestor
        self.viewer = viewer
        self.resources = resources
    }
}

/// A provider whose decisions are asked for elsewhere; all else is its own.
package struct ProviderDecidedElsewhere: Provider {
    private let provider: any Provider
    package let decisionPoint: (any DecisionPoint)?

    package init(_ provider: any Provider, by point: any DecisionPoint) {
        self.provider = provider
        self.decisionPoint = point
    }

    package var isRemote: Bool { self.provider.isRemote }

    package var changesSessions: Bool { self.provider.changesSessions }

    package func begin(_ login: ProviderLoginContext, now: Timestamp) async throws(ProviderError) -> ProviderStart {
        try await self.provider.begin(login, now: now)
    }

    package func complete(
        _ login: ProviderLoginContext, with response: ProviderResponse, state: ProviderState, now: Timestamp
    ) async throws(ProviderError) -> ProviderVerdict {
        try await self.provider.complete(login, with: response, state: state, now: now)
    }

    package func decide(
        _ resources: [Resource], requestor: RequestorID, session: ProviderSession, now: Timestamp
    ) async throws(ProviderError) -> ProviderAnswer<[Decision]> {
        try await self.provider.decide(resources, requestor: requestor, session: session, now: now)
    }

    package func renew(
        _ session: ProviderSession, requestor: RequestorID, now: Timestamp
    ) async throws(ProviderError) -> ProviderAnswer<ProviderVerdict?> {
        try await self.provider.renew(session, requestor: requestor, now: now)
    }

    package func hasAccount(of session: ProviderSession) async throws(ProviderError) -> Bool {
        try await self.provider.hasAccount(of: session)
    }

    package func recognise(_ login: ProviderLogin) async throws(ProviderError) -> ProviderVerdict {
        try await self.provider.recognise(login)
    }

    package var keepsAccounts: Bool { self.provider.keepsAccounts }

    package func ownAccount(_ reference: AccountReference) async throws(ProviderError) -> OwnAccount? {
        try await self.provider.ownAccount(reference)
    }

    package func endSession(_ session: ProviderSession) async throws(ProviderError) {
        try await self.provider.endSession(session)
    }

    package func logoutAddress(of session: ProviderSession) async throws(ProviderError) -> String? {
        try await self.provider.logoutAddress(of: session)
    }

    package func publication(now: Timestamp) async throws(ProviderError) -> ProviderPublication? {
        try await self.provider.publication(now: now)
    }

    package func check(_ notice: ProviderNotice, now: Timestamp) async throws(ProviderError) -> CheckedNotice? {
        try await self.provider.check(notice, now: now)
    }
}
