import Glibc
import HTTPClient
import PostgresServer
import RealPrograms
import TestSupport
import Testing

@Suite("A real server on PostgreSQL that is sent SIGHUP", .serialized, .timeLimit(.minutes(5)))
struct NodeReloadTests {
    @Test("goes on with what it had where the new configuration has a fault or names a store that is away")
    func refused() async throws {
        try await TwoNodes.with { one, other, database in
            let code = try await one.createCode(device: "box")
            async let looks = one.wait(for: code)
            try await one.server.waitUntilHeld(1)
            let served = try await PostgresServer.shared.connection(database, as: PostgresServer.server)
            for (connection, answer, reason) in [
                ("no connection string", "the old one stays in force", "connection"),
                ("host=/nowhere dbname=away", "takes effect at the next start", "store"),
                (served, "the configuration was read again", ""),
            ] {
                try one.demo.configure { $0["store"]?["connection"] = .text(connection) }
                one.server.send(SIGHUP)
                let line = try await one.server.waitUntilSaid(answer)
                #expect(line.contains(reason), "\(line)")
                #expect(try await one.server.get("/readyz").status == 200)
                let poll = "/api/v1/checkauthn/\(code)?requestor=\(Self.requestor)"
                #expect(try await one.call(.get, poll).status == 403)
            }
            // The poll that was held all the while is answered by the store that was there.
            try await other.confirm(code)
            #expect(try await looks < 9)
        }
    }

    @Test("takes a new configuration into force while PostgreSQL is away, and serves by it when it is back")
    func storeAway() async throws {
        try await TwoNodes.withStandby { pair, one, other in
            let code = try await one.createCode(device: "box")
            try await pair.lose()
            one.server.send(SIGHUP)
            try await one.server.waitUntilSaid("the configuration was read again")
            // What was found counts for a second.
            try await eventually("that it is not ready") {
                try await one.server.get("/readyz").status == 503 ? () : nil
            }
            try await pair.promote()
            try await eventually("that it is ready") {
                try await one.server.get("/readyz").status == 200 ? () : nil
            }
            try await one.confirm(code)
            #expect(try await other.look("box") == 200)
        }
    }

    private static let requestor = DemoFolder.compatibleRequestor
}
