import Entitlement
import StoreFixtures
import StoreSQLite
import Testing

/// A kind of store that has to pass this suite. Another store is one more entry of ``all``.
struct StoreUnderTest: Sendable, CustomTestStringConvertible {
    /// Lends `body` two handles on one empty store, as two nodes or programs would have them.
    let withPair: @Sendable (_ body: (_ one: any Store, _ other: any Store) async throws -> Void) async throws -> Void
    let testDescription: String

    /// Lends `body` an empty store.
    func withStore(_ body: (any Store) async throws -> Void) async throws {
        try await self.withPair { (store, _) async throws in try await body(store) }
    }

    static let all = [sqlite]

    private static let sqlite = StoreUnderTest(
        withPair: { body in
            try await withTemporaryFolder { folder in
                let one = try await SQLiteStore.open("\(folder)/store.sqlite")
                let other = try await SQLiteStore.open("\(folder)/store.sqlite")
                do {
                    try await body(one, other)
                } catch {
                    await one.close()
                    await other.close()
                    throw error
                }
                await one.close()
                await other.close()
            }
        }, testDescription: "SQLite")
}
