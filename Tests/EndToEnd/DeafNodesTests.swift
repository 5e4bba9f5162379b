import HTTPClient
import PostgresServer
import RealPrograms
import Testing

@Suite("Two real servers that hear no notification of PostgreSQL", .serialized, .timeLimit(.minutes(5)))
struct DeafNodesTests {
    @Test func `Find what the other changed by looking: a held poll is answered, and memory follows`() async throws {
        let server = PostgresServer.shared
        let database = try await server.makeDatabase()
        let line = try await server.deafLine()
        let before = try line.lost()
        try await TwoNodes.with({ try await server.deafConnection(database, as: $0) }) { one, other in
            try await one.pairBox(confirmingAt: other)
            let query = "requestor=\(DemoFolder.compatibleRequestor)&deviceId=box"
            #expect(try await one.call(.delete, "/api/v1/logout?\(query)").status == 204)
            try await eventually("the other server to follow") {
                try await other.look("box") == 403 ? () : nil
            }
        }
        // There were some to hear.
        #expect(try line.lost() > before)
        await server.giveBack(database)
    }
}
