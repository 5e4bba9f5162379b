import AccessEnabler
import Synchronization

/// Whether the state of a requestor can be kept, by the last attempt to do so.
final class StoreHealth: Sendable {
    private let last = Mutex<EntitlementError?>(nil)

    /// Why the state could not be kept; `nil` where it could, and before the first attempt.
    var fault: EntitlementError? { self.last.withLock { $0 } }

    /// - Returns: whether that is news: it could be kept before, or can be again.
    func note(_ fault: EntitlementError?) -> Bool {
        self.last.withLock { last in
            defer { last = fault }
            return (last == nil) != (fault == nil)
        }
    }
}
