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
            let code = try await one.createCode(device: "box")
            // Both remember that nobody is signed in.
            #expect(try await one.look("box") == 403)
            #expect(try await other.look("box") == 403)
            async let looks = one.wait(for: code)
            try await one.server.waitUntilHeld(1)
            try await other.confirm(code)
            // Each answer told of a step of the viewer: the wait was for the feed, not for the box to ask again.
            #expect(try await looks < 9)
            #expect(try await other.look("box") == 200)
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
