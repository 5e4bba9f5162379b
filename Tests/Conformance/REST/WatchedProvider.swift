import Clientless
import Entitlement
import Providers
import Synchronization

/// A local provider that counts its decisions and may be out of reach.
final class WatchedProvider: Provider {
    private let local: LocalProvider
    private let state = Mutex((decisions: 0, isDown: false))

    init(_ local: LocalProvider) {
        self.local = local
    }

    /// How often it decided.
    var decisions: Int { self.state.withLock { $0.decisions } }

    func setDown(_ isDown: Bool) { self.state.withLock { $0.isDown = isDown } }

    func begin(_ login: ProviderLoginContext) async throws(ProviderError) -> ProviderHandover {
        try await self.local.begin(login)
    }

    func complete(
        _ login: ProviderLoginContext, with response: ProviderResponse, now: Timestamp
    ) async throws(ProviderError) -> ProviderVerdict {
        try await self.local.complete(login, with: response, now: now)
    }

    func decide(
        _ resources: [Resource], requestor: RequestorID, session: ProviderSession, now: Timestamp
    ) async throws(ProviderError) -> [Decision] {
        let isDown = self.state.withLock { state in
            state.decisions += 1
            return state.isDown
        }
        if isDown { throw ProviderError(detail: "down") }
        return try await self.local.decide(resources, requestor: requestor, session: session, now: now)
    }
}
