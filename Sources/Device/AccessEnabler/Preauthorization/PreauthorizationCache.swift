import Clientless

/// Decisions for locks in lists, in memory only (access-enabler D-37). It belongs to one requestor and provider, and is
/// cleared with every sign-in, logout, change of provider and configuration.
struct PreauthorizationCache: Sendable {
    private static let limit = 10_000

    private var decisions: [String: PreauthorizeResponse.Decision] = [:]
    private var provider: String?
    /// Another number after each ``clear()``: the answer to a question from before is not kept after.
    private(set) var run = 0

    /// The key of decisions about a resource: as for authorizations, white space around it does not count.
    static func key(_ resource: String) -> String { Resource(resource)?.storeKey ?? percentEncoded(resource) }

    subscript(resource: String, of provider: String) -> PreauthorizeResponse.Decision? {
        self.provider == provider ? self.decisions[Self.key(resource)] : nil
    }

    mutating func clear() {
        self.decisions = [:]
        self.run += 1
    }

    mutating func keep(_ fresh: [PreauthorizeResponse.Decision], of provider: String) {
        if self.provider != provider || self.decisions.count + fresh.count > Self.limit { self.decisions = [:] }
        self.provider = provider
        for decision in fresh { self.decisions[Self.key(decision.id)] = decision }
    }
}
