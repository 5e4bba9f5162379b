/// The mark in a store that tells which master secret its hashes were made with.
///
/// A store that no server of this version served from has none, and neither has a copy into another store.
package struct KeyMark: Sendable {
    private let mark: StoreMark
    private let keys: ServerKeys

    init(_ store: any Store, of keys: ServerKeys) {
        self.mark = StoreMark("master-secret", in: store)
        self.keys = keys
    }

    /// Whether the mark is that of the keys; `nil` when the store has none.
    package func isOwn() async throws(EntitlementError) -> Bool? {
        try await stored(await self.mark.text()).map { $0 == self.keys.mark }
    }

    /// Marks a store that has no mark.
    package func set() async throws(EntitlementError) { try await stored(await self.mark.set(self.keys.mark)) }
}
