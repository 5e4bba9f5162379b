import Clientless

/// A mark in a store that no copy into another store has, and that stays until it is removed.
///
/// It is kept as a task whose holder's time is over in the year 9999.
package struct StoreMark: Sendable {
    private static let time: Duration = .seconds(253_402_300_799)
    private static let start = Timestamp(seconds: 0)

    private let task: String
    private let store: any Store

    init(_ task: String, in store: any Store) {
        self.task = task
        self.store = store
    }

    /// The mark of a store that was copied to another one, which is used since: which one, and when.
    package static func moved(in store: any Store) -> StoreMark { StoreMark("moved", in: store) }

    /// The text of the mark; `nil` when the store has none.
    package func text() async throws(StoreError) -> String? {
        let end = Self.start + Self.time
        return try await self.store.leases(end..<end + .seconds(1))[self.task]
    }

    /// The texts of all marks whose task begins with a text, by the rest of the task.
    static func texts(after beginning: String, in store: any Store) async throws(StoreError) -> [String: String] {
        let end = Self.start + Self.time
        let marks = try await store.leases(end..<end + .seconds(1)).filter { $0.key.hasPrefix(beginning) }
        return Dictionary(uniqueKeysWithValues: marks.map { (String($0.key.dropFirst(beginning.count)), $0.value) })
    }

    /// Marks a store that has no mark of this kind.
    package func set(_ text: String) async throws(StoreError) {
        _ = try await self.store.takeLease(self.task, holder: text, for: Self.time, now: Self.start)
    }

    /// - Returns: whether there was a mark.
    @discardableResult
    package func remove() async throws(StoreError) -> Bool {
        guard let text = try await self.text() else { return false }
        return try await self.store.takeLease(self.task, holder: text, for: .zero, now: Self.start)
    }
}
