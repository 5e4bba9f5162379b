import AccessEnabler
import Synchronization

extension EntitlementError {
    /// Why the state cannot be kept, as a sentence.
    var storeSentence: String { self.detail.map { "\($0)." } ?? "The state file cannot be used." }
}

/// Whether the state of a requestor can be kept, by the last attempt to do so.
final class StoreHealth: Sendable {
    /// Between two looks at a store that failed: each writes to the disk.
    private static let pause: Duration = .seconds(1)

    private let last = Mutex<(fault: EntitlementError?, looked: Duration?)>((nil, nil))

    /// Why the state could not be kept; `nil` if it could, and before the first attempt.
    var fault: EntitlementError? { self.last.withLock { $0.fault } }

    /// Whether a store that failed is worth another look; counts as looked at then.
    /// - Parameter now: on a clock that cannot be set.
    func isDueForLook(at now: Duration) -> Bool {
        self.last.withLock { last in
            guard last.fault != nil, last.looked.map({ now - $0 >= Self.pause }) ?? true else { return false }
            last.looked = now
            return true
        }
    }

    /// - Returns: whether that is news: it could be kept before, or can be again.
    func note(_ fault: EntitlementError?) -> Bool {
        self.last.withLock { last in
            defer { last.fault = fault }
            return (last.fault == nil) != (fault == nil)
        }
    }
}
