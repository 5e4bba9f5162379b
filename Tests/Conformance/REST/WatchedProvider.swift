import Clientless
import Entitlement
import Providers
import Synchronization

/// A local provider that counts its decisions, may be out of reach, may know something of its viewers, and may renew and
/// log out as other kinds of provider do.
final class WatchedProvider: Provider {
    var isRemote: Bool { true }

    private struct State {
        var decisions = 0
        var isDown = false
        var metadata: [String: MetadataValue] = [:]
        /// What it says to a renewal in place of its own answer.
        var renewal: ProviderVerdict??
        var logoutAddress: String?
    }

    private let local: LocalProvider
    private let state = Mutex(State())

    init(_ local: LocalProvider) { self.local = local }

    var decisions: Int { self.state.withLock { $0.decisions } }

    func setDown(_ isDown: Bool) { self.state.withLock { $0.isDown = isDown } }

    func setMetadata(_ metadata: [String: MetadataValue]) { self.state.withLock { $0.metadata = metadata } }

    /// - Parameter verdict: none for a provider without a back channel.
    func setRenewing(_ verdict: ProviderVerdict?) { self.state.withLock { $0.renewal = .some(verdict) } }

    func setLogout(address: String) { self.state.withLock { $0.logoutAddress = address } }

    func begin(_ login: ProviderLoginContext, now: Timestamp) async throws(ProviderError) -> ProviderStart {
        try self.checkReach()
        return try await self.local.begin(login, now: now)
    }

    func complete(
        _ login: ProviderLoginContext, with response: ProviderResponse, state: ProviderState, now: Timestamp
    ) async throws(ProviderError) -> ProviderVerdict {
        let verdict = try await self.local.complete(login, with: response, state: state, now: now)
        guard case .accepted(let viewer) = verdict else { return verdict }
        return .accepted(
            ProviderLogin(
                upstreamUserID: viewer.upstreamUserID, session: viewer.session,
                metadata: self.state.withLock { $0.metadata }))
    }

    func decide(
        _ resources: [Resource], requestor: RequestorID, session: ProviderSession, now: Timestamp
    ) async throws(ProviderError) -> ProviderAnswer<[Decision]> {
        self.state.withLock { $0.decisions += 1 }
        try self.checkReach()
        return try await self.local.decide(resources, requestor: requestor, session: session, now: now)
    }

    func renew(
        _ session: ProviderSession, requestor: RequestorID, now: Timestamp
    ) async throws(ProviderError) -> ProviderAnswer<ProviderVerdict?> {
        try self.checkReach()
        if let renewal = self.state.withLock({ $0.renewal }) { return ProviderAnswer(renewal) }
        return try await self.local.renew(session, requestor: requestor, now: now)
    }

    func recognise(_ login: ProviderLogin) async throws(ProviderError) -> ProviderVerdict {
        try await self.local.recognise(login)
    }

    func logoutAddress(of session: ProviderSession) async throws(ProviderError) -> String? {
        self.state.withLock { $0.logoutAddress }
    }

    private func checkReach() throws(ProviderError) {
        if self.state.withLock({ $0.isDown }) { throw ProviderError(detail: "down") }
    }
}

/// The providers of a catalogue, each watched. A trial has one too, and nobody asks it.
struct WatchedProviders: Sendable {
    private let byID: [MVPDID: WatchedProvider]

    init(_ catalogue: Catalogue, _ accounts: any AccountStore) {
        self.byID = Dictionary(
            uniqueKeysWithValues: catalogue.mvpds.map { mvpd in
                (mvpd.id, WatchedProvider(LocalProvider(mvpd: mvpd.id, accounts: accounts)))
            })
    }

    var all: [MVPDID: any Provider] { self.byID }

    subscript(mvpd: MVPDID) -> WatchedProvider {
        guard let provider = self.byID[mvpd] else { preconditionFailure("\(mvpd) is no provider under test") }
        return provider
    }
}
