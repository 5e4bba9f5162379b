import Clientless
import Cryptography
import Entitlement
import Synchronization

/// A TV provider whose viewers may play what its line-up says; every password but `wrong` is right.
final class TestProvider: Provider {
    private struct State {
        var lineUp: Set<String> = ["North Sport HD"]
        var isDown = false
        var decisions = 0
    }

    private let name: String
    private let state = Mutex(State())

    init(name: String) {
        self.name = name
    }

    /// How often it was asked.
    var decisions: Int { self.state.withLock { $0.decisions } }

    func setLineUp(_ lineUp: Set<String>) { self.state.withLock { $0.lineUp = lineUp } }

    func setDown(_ isDown: Bool) { self.state.withLock { $0.isDown = isDown } }

    func begin(_ login: ProviderLoginContext) async throws(ProviderError) -> ProviderHandover { .signInPage }

    func complete(
        _ login: ProviderLoginContext, with response: ProviderResponse, now: Timestamp
    ) async throws(ProviderError) -> ProviderVerdict {
        switch response {
        case .password(let account, let password):
            if password.withBytes({ $0 == Array("wrong".utf8) }) { return .refused(reason: "Not quite – try again.") }
            return .accepted(
                ProviderLogin(upstreamUserID: "\(self.name)/\(account)", session: ProviderSession(account: account)))
        }
    }

    func decide(
        _ resources: [Resource], requestor: RequestorID, session: ProviderSession, now: Timestamp
    ) async throws(ProviderError) -> [Decision] {
        let (lineUp, isDown) = self.state.withLock { state in
            state.decisions += 1
            return (state.lineUp, state.isDown)
        }
        if isDown { throw ProviderError(detail: "down") }
        return resources.map { resource in
            let isIn = (try? resource.channelTitle()).map(lineUp.contains) ?? false
            return isIn ? .permit : .deny(reason: "Your package does not include \(resource.text).")
        }
    }
}
