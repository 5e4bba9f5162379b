import Clientless
import Entitlement
import HTTPServer

/// A question a box asks again and again until the answer changes (sdk-services 8).
///
/// A value made of parsed values: a held poll keeps it for a minute, and there are many of them.
protocol Poll: Sendable {
    /// What the answer depends on; two answers with one mark are the same to a box that waits.
    associatedtype Mark: Hashable & Sendable

    /// What wakes it.
    var key: WaitingRoom.Key { get }

    /// What memory says at `now`, if it knows.
    func lookInMemory(now: Timestamp) -> Mark?

    /// What the store says at `now`.
    func look(now: Timestamp) async throws(EntitlementError) -> Mark

    /// Whether waiting may change it.
    func isPending(_ mark: Mark) -> Bool

    /// The answer.
    func response(to mark: Mark, now: Timestamp) -> HTTPResponse

    /// The answer when the store could not be asked.
    func response(to error: EntitlementError) -> HTTPResponse
}

extension Poll {
    /// The answer at `now`, from memory or else from the store.
    func answer(now: Timestamp) async -> HTTPResponse {
        if let mark = self.lookInMemory(now: now) { return self.response(to: mark, now: now) }
        do {
            return self.response(to: try await self.look(now: now), now: now)
        } catch {
            return self.response(to: error)
        }
    }
}
