import Clientless
import HTTPClient

/// Follows what becomes of the account that the agent keeps, by its events.
actor AgentFollower {
    /// Seconds that the agent holds a question about events.
    private static let wait = 55
    /// Before the agent is asked again that did not answer, or did not permit: twice as long each time, up to the longest.
    private static let pause: Duration = .seconds(30)
    private static let longestPause: Duration = .seconds(600)

    private let agent: AccessEnabler.AgentPlatformSSO
    private let sleep: @Sendable (Duration) async throws -> Void
    /// The number that the next events come after; `nil` before the first answer.
    private var number: Int64?
    /// The requestor that the account is signed in for; `nil` before the first answer.
    private var requestor: String?
    private var isPermitted: Bool?
    /// Whether the box was signed in at the last look at the account.
    private var isSignedIn: Bool?

    init(
        _ agent: AccessEnabler.AgentPlatformSSO,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.agent = agent
        self.sleep = sleep
    }

    /// - Returns: `nil` when its task was cancelled.
    func next() async -> PlatformSSOChange? {
        var pause = Self.pause
        while !Task.isCancelled {
            do throws(PlatformSSOFailure) {
                if let change = try await self.look() { return change }
                pause = Self.pause
            } catch {
                guard (try? await self.sleep(pause)) != nil else { return nil }
                pause = min(pause * 2, Self.longestPause)
            }
        }
        return nil
    }

    /// Asks the agent once. - Returns: `nil` when nothing changed.
    private func look() async throws(PlatformSSOFailure) -> PlatformSSOChange? {
        guard let number = self.number, let requestor = self.requestor else { return try await self.begin() }
        let answer = try await self.agent.ask(
            .get, "/v1/events?after=\(number)&wait=\(Self.wait)", timeout: .seconds(Self.wait + 15))
        if let change = self.note(isPermitted: answer.status == 200) { return change }
        guard answer.status == 200, let next = answer.json["next"]?.integer else { throw answer.failure }
        let events = answer.json["events"]?.array ?? []
        // The agent started anew, or has forgotten: what was missed may have been a sign-out.
        if events.contains(where: { $0["event"]?.string == "gap" }) { return try await self.begin() }
        let changes = events.compactMap { event -> PlatformSSOChange? in
            guard event["requestor"]?.string == requestor else { return nil }
            switch event["event"]?.string {
            case "approved": return .signedIn
            case "signed_out" where event["reason"] != "expired": return .signedOut
            default: return nil
            }
        }
        self.number = next
        if let last = changes.last { self.isSignedIn = last == .signedIn }
        return changes.last
    }

    /// Looks at the account itself. The number first, so that no event after the look is missed.
    private func begin() async throws(PlatformSSOFailure) -> PlatformSSOChange? {
        let events = try await self.agent.ask(.get, "/v1/events")
        if let change = self.note(isPermitted: events.status == 200) { return change }
        guard let next = events.json["next"]?.integer else { throw events.failure }
        let account = try await self.agent.ask(.get, "/v1/account")
        guard let requestor = account.json["requestor"]?.string else { throw account.failure }
        // One that ran out, or does not count for now, was not signed out.
        let isSignedIn = account.json["mvpd"] ?? account.json["kept"] != nil || account.json["reason"] == "expired"
        defer { (self.number, self.requestor, self.isSignedIn) = (next, requestor, isSignedIn) }
        // A first look tells of a sign-out as well: it may have come before.
        guard (self.isSignedIn ?? true) != isSignedIn else { return nil }
        return isSignedIn ? .signedIn : .signedOut
    }

    private func note(isPermitted: Bool) -> PlatformSSOChange? {
        defer { self.isPermitted = isPermitted }
        return self.isPermitted.map { $0 != isPermitted } == true ? .permissionChanged : nil
    }
}
