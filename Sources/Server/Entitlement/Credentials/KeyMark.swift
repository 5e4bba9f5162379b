package import Clientless

/// The marks in a store that tell which master secret its hashes were made with, and which keys signed for it.
///
/// A store that no server of this version served from has none, and neither has a copy into another store.
package struct KeyMark: Sendable {
    private static let signing = "signing-key "
    private static let sealing = "sealing-key "

    private let store: any Store
    private let mark: StoreMark
    private let keys: ServerKeys

    init(_ store: any Store, of keys: ServerKeys) {
        self.store = store
        self.mark = StoreMark("master-secret", in: store)
        self.keys = keys
    }

    /// Whether the mark is that of the keys; `nil` when the store has none.
    package func isOwn() async throws(EntitlementError) -> Bool? {
        try await stored(await self.mark.text()).map { $0 == self.keys.mark }
    }

    package func set() async throws(EntitlementError) { try await stored(await self.mark.set(self.keys.mark)) }

    /// The signing keys that were added, by their texts, and when each was made.
    package func signingKeys() async throws(EntitlementError) -> [String: Timestamp] {
        try await stored(await StoreMark.texts(after: Self.signing, in: self.store))
            .mapValues { Timestamp(milliseconds: Int64($0) ?? 0) }
    }

    /// Adds signing keys by texts that tell them apart and are no secrets.
    /// - Parameter keys: with the time when each was made.
    package func add(signingKeys keys: [String: Timestamp]) async throws(EntitlementError) {
        let known = try await self.signingKeys()
        for (key, made) in keys where known[key] == nil {
            try await stored(await StoreMark(Self.signing + key, in: self.store).set("\(made.milliseconds)"))
        }
    }

    /// The ID of the sealing key that was added last, in hexadecimal digits; `nil` when none was.
    package func newestSealingKey() async throws(EntitlementError) -> String? {
        try await stored(await StoreMark.texts(after: Self.sealing, in: self.store))
            .max { (Int64($0.value) ?? 0) < (Int64($1.value) ?? 0) }?.key
    }

    /// Adds a sealing key, which every server of the store needs from then on.
    /// - Parameter key: its ID in hexadecimal digits.
    package func add(sealingKey key: String, made: Timestamp) async throws(EntitlementError) {
        try await stored(await StoreMark(Self.sealing + key, in: self.store).set("\(made.milliseconds)"))
    }
}
