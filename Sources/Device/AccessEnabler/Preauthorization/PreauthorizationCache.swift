/// Decisions for locks in lists, in memory only (access-enabler D-37). It belongs to one requestor and provider, and is
/// made anew with every sign-in, logout, change of provider and configuration.
struct PreauthorizationCache: Sendable {
    private static let limit = 10_000

    private var decisions: [String: PreauthorizeResponse.Decision] = [:]
    private var provider: String?

    subscript(resource: String, of provider: String) -> PreauthorizeResponse.Decision? {
        self.provider == provider ? self.decisions[resource] : nil
    }

    mutating func keep(_ fresh: [PreauthorizeResponse.Decision], of provider: String) {
        if self.provider != provider || self.decisions.count + fresh.count > Self.limit { self.decisions = [:] }
        self.provider = provider
        for decision in fresh { self.decisions[decision.id] = decision }
    }
}
