import Clientless
import Entitlement
import PostgresServer
import StoreFixtures
import Stores
import Testing

@Suite("What may be lost with a PostgreSQL", .timeLimit(.minutes(5)))
struct BriefWriteTests {
    @Test func `is kept at once where a commit that lasts has to wait for a standby`() async throws {
        let server = PostgresServer()
        let database = try await server.makeDatabase { owner in
            _ = try await PostgresStore.migrate(PostgresStore.Options(connection: owner))
        }
        var options = PostgresStore.Options(
            connection: try await server.connection(database, as: PostgresServer.server))
        options.connections = 5
        options.answerTime = .milliseconds(500)
        let store = try await PostgresStore.open(options)
        // A standby that never comes: no commit is as durable as it has to be.
        try await server.run(["ALTER SYSTEM SET synchronous_standby_names = 'none'"])
        try await server.run(["SELECT pg_reload_conf()"])
        let (now, end) = (Fixture.now, Fixture.now + .seconds(900))
        await #expect(throws: StoreError.self) {
            while true { _ = try await store.takeNonce("lasting", publicKey: "k", expires: end, now: end) }
        }
        #expect(try await store.takeNonce("passing", publicKey: "k", expires: end, now: now, isPassing: true))
        #expect(try await store.takeNonce("passing", publicKey: "k", expires: end, now: now, isPassing: true) == false)
        try await server.run(["ALTER SYSTEM RESET synchronous_standby_names"])
        try await server.run(["SELECT pg_reload_conf()"])
        await store.close()
    }
}
