import HTTPClient
import Synchronization
import TestSupport
import Testing

@Suite("A TLS handshake", .timeLimit(.minutes(5)))
struct HandshakeTests {
    @Test func `that the other side breaks off is a lost connection, and says nothing of a certificate`() async throws {
        // It waits for a request, and hangs up, as a node does that stops.
        let server = try ScriptedServer { _ in .close }
        let url = "https" + server.url.dropFirst(4)
        let isOver = Atomic<Bool>(false)
        async let failure = {
            let error = await #expect(throws: HTTPClientError.self) { try await HTTPClient().send(.init(.get, url)) }
            isOver.store(true, ordering: .releasing)
            return error
        }()
        while !isOver.load(ordering: .acquiring) {
            server.dropConnections()
            await Task.yield()
        }
        let found = await failure
        #expect(found?.code == .connectionLost && found?.isOfHandshake == true)
    }
}
