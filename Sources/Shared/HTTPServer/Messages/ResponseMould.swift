import Synchronization

/// Tells an answer that is sent again and again from all others, by a small number that an array can be asked for.
struct ResponseMould: Hashable, Sendable {
    /// Counts preparations, from 0.
    let number: Int

    static func next() -> ResponseMould {
        ResponseMould(number: self.count.wrappingAdd(1, ordering: .relaxed).oldValue)
    }

    private static let count = Atomic<Int>(0)
}
