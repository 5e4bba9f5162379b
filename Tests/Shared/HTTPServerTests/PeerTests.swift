import Glibc
import HTTPServer
import POSIX
import TestSupport
import Testing

@Suite("The peer of a Unix socket")
struct PeerTests {
    private static var router: Router {
        var router = Router()
        router.on(.get, path: "/who", name: "who") { request in
            let peer = request.peer
            let isRunning = peer?.whileRunning { true } ?? false
            return .now(.text("\(peer?.process ?? -1) \(peer?.user ?? -1) \(isRunning)"))
        }
        return router
    }

    private static let request = "GET /who HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test func `is told by process and user where it is asked for, and else not`() async throws {
        let folder = try TemporaryFolder()
        let address = HTTPListenerAddress.unix(path: folder.file("socket"))
        try await TestServer.with(Self.router, address: address, configure: { $0.identifiesPeers = true }) { server in
            let body = try await server.answer(Self.request).body
            #expect(body == "\(getpid()) \(geteuid()) true")
        }
        try await TestServer.with(Self.router, address: address) { server in
            let body = try await server.answer(Self.request).body
            #expect(body == "-1 -1 false")
        }
    }

    @Test func `gets its user's share of the connections, and then 503`() async throws {
        let folder = try TemporaryFolder()
        let address = HTTPListenerAddress.unix(path: folder.file("socket"))
        let configure: (inout HTTPServerConfiguration) -> Void = {
            $0.identifiesPeers = true
            $0.maximumConnectionsPerUser = 2
        }
        try await TestServer.with(Self.router, address: address, configure: configure) { server in
            let (one, other) = (try server.connect(), try server.connect())
            for client in [one, other] {
                #expect(try await client.answer(to: Self.request).status == 200)
            }
            // Answered before it asks: what it would send finds the connection closed.
            let status = try await server.connect().answer().status
            #expect(status == 503)
        }
    }

    @Test func `that has ended is told from a process that got its number`() throws {
        let own = UnixPeer(process: Int(getpid()), user: 0, started: 1)
        #expect(own.whileRunning { true } == nil)
        #expect(UnixPeer(process: Int(getpid()), user: 0, started: nil).whileRunning { true } == nil)
    }
}
