import Clientless
import TextCoding

/// Decisions for locks in lists, in memory only (access-enabler D-37). It belongs to one sign-in, which another
/// process may replace, and is cleared with every sign-in, logout and configuration.
struct PreauthorizationCache: Sendable {
    private static let limit = 10_000

    private var decisions: [String: PreauthorizeResponse.Decision] = [:]
    private var signIn: String?
    /// Another number after each ``clear()``: the answer to a question from before is not kept after.
    private(set) var run = 0

    /// The key of decisions about a resource: as for authorizations, white space around it does not count.
    static func key(_ resource: String) -> String { Resource(resource)?.storeKey ?? PercentCoding.encoded(resource) }

    subscript(resource: String, of signIn: String) -> PreauthorizeResponse.Decision? {
        self.signIn == signIn ? self.decisions[Self.key(resource)] : nil
    }

    mutating func clear() {
        self.decisions = [:]
        self.run += 1
    }

    mutating func keep(_ fresh: [PreauthorizeResponse.Decision], of signIn: String) {
        if self.signIn != signIn || self.decisions.count + fresh.count > Self.limit { self.decisions = [:] }
        self.signIn = signIn
        for decision in fresh { self.decisions[Self.key(decision.id)] = decision }
    }
}
