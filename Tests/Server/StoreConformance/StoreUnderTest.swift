import Entitlement
import Glibc
import Lending
import PostgresServer
import Stores
import Synchronization
import TestSupport
import Testing

/// A kind of store that has to pass this suite. Another store is one more entry of ``all``.
struct StoreUnderTest: Sendable, CustomTestStringConvertible {
    /// Opens two handles on one empty store, as two nodes or programs would have them.
    private let open: @Sendable (LentStores) async throws -> (one: any Store, other: any Store)
    /// Random operations of one walk: as many as seconds allow.
    let steps: Int
    let testDescription: String

    /// Two handles on one empty store, which the test's trait takes back.
    func pair() async throws -> (one: any Store, other: any Store) { try await self.open(LentStores.$current.lent()) }

    func store() async throws -> any Store { try await self.pair().one }

    /// Gives back what the test has opened so far: a test that opens many would have all connections of the server.
    func giveBack() async { await LentStores.$current.lent().end() }

    /// PostgreSQL where it is installed; that it is, StorePostgresTests demand.
    static let all = PostgresServer.isInstalled ? [sqlite, postgres(isDeaf: false)] : [sqlite]

    /// The same, and PostgreSQL once more, where its notifications are lost: what tells of changes has to do without them.
    static let following = PostgresServer.isInstalled ? all + [postgres(isDeaf: true)] : all

    /// The steps that a longer run asks for.
    private static let wantedSteps = unsafe getenv("LATCHKEY_RANDOM_STEPS").flatMap { unsafe Int(String(cString: $0)) }

    private static let sqlite = StoreUnderTest(
        open: { lent in
            let folder = try TemporaryFolder()
            let stores = try await (
                SQLiteStore.open(folder.file("store.sqlite")), SQLiteStore.open(folder.file("store.sqlite"))
            )
            lent.atTheEnd {
                await stores.0.close()
                await stores.1.close()
                withExtendedLifetime(folder) {}
            }
            return (stores.0, stores.1)
        }, steps: Self.wantedSteps ?? 1500, testDescription: "SQLite")

    private static func postgres(isDeaf: Bool) -> StoreUnderTest {
        StoreUnderTest(
            open: { lent in
                let server = PostgresServer.shared
                let database = try await server.makeDatabase { owner in
                    _ = try await PostgresStore.migrate(PostgresStore.Options(connection: owner))
                }
                lent.atTheEnd { await server.giveBack(database) }
                var options = PostgresStore.Options(
                    connection: isDeaf
                        ? try await server.deafConnection(database, as: PostgresServer.server)
                        : try await server.connection(database, as: PostgresServer.server))
                options.connections = 5
                // A thousand calls at once on a busy machine are no failure.
                options.answerTime = .seconds(30)
                let stores = try await (PostgresStore.open(options), PostgresStore.open(options))
                lent.atTheEnd {
                    await stores.0.close()
                    await stores.1.close()
                }
                return (stores.0, stores.1)
            }, steps: Self.wantedSteps ?? 120,
            testDescription: isDeaf ? "PostgreSQL without notifications" : "PostgreSQL")
    }
}

/// The stores of a test, which are closed and gone after it.
final class LentStores: Sendable {
    @TaskLocal static var current: LentStores?

    private let ends = Mutex<[@Sendable () async -> Void]>([])

    /// The last one given is done first.
    func atTheEnd(_ end: @escaping @Sendable () async -> Void) { self.ends.withLock { $0.append(end) } }

    fileprivate func end() async {
        let ends = self.ends.withLock { ends in
            defer { ends = [] }
            return ends.reversed()
        }
        for end in ends { await end() }
    }
}

extension Trait where Self == Lending<LentStores> {
    static var stores: Self {
        Lending(LentStores.$current) { body in
            let stores = LentStores()
            try await ending({ await stores.end() }) { try await body(stores) }
        }
    }
}
