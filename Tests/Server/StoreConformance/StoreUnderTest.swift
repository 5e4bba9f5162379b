import Entitlement
import Glibc
import PostgresServer
import StoreFixtures
import StorePostgres
import StoreRecords
import StoreSQLite
import Testing

/// A kind of store that has to pass this suite. Another store is one more entry of ``all``.
struct StoreUnderTest: Sendable, CustomTestStringConvertible {
    /// Lends `body` two handles on one empty store, as two nodes or programs would have them.
    let withPair: @Sendable (_ body: (_ one: any Store, _ other: any Store) async throws -> Void) async throws -> Void
    /// Random operations of one walk: as many as seconds allow.
    let steps: Int
    let testDescription: String

    /// Lends `body` an empty store.
    func withStore(_ body: (any Store) async throws -> Void) async throws {
        try await self.withPair { (store, _) async throws in try await body(store) }
    }

    /// PostgreSQL where it is installed; that it is, StorePostgresTests demand.
    static let all = PostgresServer.isInstalled ? [sqlite, postgres(isDeaf: false)] : [sqlite]

    /// The same, and PostgreSQL once more, where its notifications are lost: what tells of changes has to do without them.
    static let following = PostgresServer.isInstalled ? all + [postgres(isDeaf: true)] : all

    /// The steps that a longer run asks for.
    private static let wantedSteps = unsafe getenv("LATCHKEY_RANDOM_STEPS").flatMap { unsafe Int(String(cString: $0)) }

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
        }, steps: Self.wantedSteps ?? 1500, testDescription: "SQLite")

    private static func postgres(isDeaf: Bool) -> StoreUnderTest {
        StoreUnderTest(
            withPair: { body in
                let server = PostgresServer.shared
                let database = try await server.makeDatabase { owner in
                    _ = try await PostgresStore.migrate(PostgresStore.Options(connection: owner))
                }
                let connection =
                    isDeaf
                    ? try await server.deafConnection(database, as: PostgresServer.server)
                    : try await server.connection(database, as: PostgresServer.server)
                do {
                    try await self.withPair(at: connection, body)
                } catch {
                    await server.giveBack(database)
                    throw error
                }
                await server.giveBack(database)
            }, steps: Self.wantedSteps ?? 120,
            testDescription: isDeaf ? "PostgreSQL without notifications" : "PostgreSQL")
    }

    private static func withPair(
        at connection: String, _ body: (_ one: any Store, _ other: any Store) async throws -> Void
    ) async throws {
        var options = PostgresStore.Options(connection: connection)
        options.connections = 5
        // A thousand calls at once on a busy machine are no failure.
        options.answerTime = .seconds(30)
        let one = try await PostgresStore.open(options)
        let other = try await PostgresStore.open(options)
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
}
