import Clientless
import HTTPClient
import Synchronization

/// Follows what becomes of the account that the agent keeps, by its events.
final class AgentFollower: Sendable {
    /// Seconds that the agent holds a question about events.
    private static let wait = 55
    /// Before the agent is asked again that did not answer, or did not permit.
    private static let pause: Duration = .seconds(30)

    private struct State {
        /// The number that the next events come after; `nil` before the first answer.
        var number: Int64?
        /// The requestor that the account is signed in for; `nil` before the first answer.
        var requestor: String?
        var isPermitted: Bool?
    }

    private let agent: AccessEnabler.AgentPlatformSSO
    private let state = Mutex(State())

    init(_ agent: AccessEnabler.AgentPlatformSSO) {
        self.agent = agent
    }

    /// Waits for the next change. - Returns: `nil` when its task was cancelled.
    func next() async -> PlatformSSOChange? {
        while !Task.isCancelled {
            do throws(PlatformSSOFailure) {
                if let change = try await self.look() { return change }
            } catch {
                guard (try? await Task.sleep(for: Self.pause)) != nil else { return nil }
            }
        }
        return nil
    }

    /// Asks the agent once. - Returns: `nil` when nothing changed.
    private func look() async throws(PlatformSSOFailure) -> PlatformSSOChange? {
        let known = self.state.withLock { ($0.number, $0.requestor) }
        guard let number = known.0, let requestor = known.1 else { return try await self.begin() }
        let answer = try await self.agent.ask(
            .get, "/v1/events?after=\(number)&wait=\(Self.wait)", timeout: .seconds(Self.wait + 15))
        if let change = self.note(isPermitted: answer.status == 200) { return change }
        guard answer.status == 200, let next = answer.json["next"]?.integer else { throw answer.failure }
        self.state.withLock { $0.number = next }
        let changes = (answer.json["events"]?.array ?? []).compactMap { event -> PlatformSSOChange? in
            guard event["requestor"]?.string == requestor else { return nil }
            switch event["event"]?.string {
            case "approved": return .signedIn
            case "signed_out": return .signedOut
            default: return nil
            }
        }
        return changes.last
    }

    private func begin() async throws(PlatformSSOFailure) -> PlatformSSOChange? {
        let account = try await self.agent.ask(.get, "/v1/account")
        if let change = self.note(isPermitted: account.status == 200) { return change }
        guard let requestor = account.json["requestor"]?.string else { throw account.failure }
        let events = try await self.agent.ask(.get, "/v1/events")
        guard let next = events.json["next"]?.integer else { throw events.failure }
        self.state.withLock {
            $0.requestor = requestor
            $0.number = next
        }
        return nil
    }

    private func note(isPermitted: Bool) -> PlatformSSOChange? {
        self.state.withLock { state in
            defer { state.isPermitted = isPermitted }
            return state.isPermitted.map { $0 != isPermitted } == true ? .permissionChanged : nil
        }
    }
}
