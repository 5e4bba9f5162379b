import FoundationEssentials
import Glibc
import Observability
import POSIX
import Testing

@testable import HTTPServer

/// Descriptors are given out again: what was meant for an earlier request may come when another has its descriptor.
@Suite("Requests that are held")
struct ParkingLotTests {
    @Test("are left alone by a late event of an earlier one with the same descriptor")
    func lateEvent() throws {
        let held = try Held()
        held.lot.handle(
            (
                tag: ParkedConnection.tag(socket: held.socket, serial: 0),
                flags: EventSet.peerClosed | EventSet.broken
            ))
        #expect(held.lot.count == 1)
        #expect(!held.reply.isFinished)
        held.reply.complete(.text("own"))
        #expect(held.received.hasSuffix("own"))
    }

    @Test("are not sent a late answer of an earlier one with the same descriptor")
    func lateAnswer() throws {
        let held = try Held()
        let earlier = ParkedConnection(
            socket: held.socket, tag: ParkedConnection.tag(socket: held.socket, serial: 0), request: Held.request,
            reply: HeldReply(), lot: held.lot)
        earlier.send(.text("other"))
        #expect(held.received.isEmpty)
        #expect(held.lot.count == 1)
        held.reply.complete(.text("own"))
        #expect(held.received.hasSuffix("own"))
    }
}

/// A held request whose client is in this process.
private final class Held {
    static let request = ParkedRequest(
        route: MatchedRoute(HTTPRequest(method: .get, target: "/held"), outsideOfRoutes: RouteGroup()),
        remoteAddress: .unix, started: MonotonicTime.now(), isHead: false, isVersion10: false)

    let lot: ParkingLot
    let reply = HeldReply()
    /// The descriptor by which the lot knows the connection.
    let socket: Int32
    private let client: Int32

    init() throws {
        let accounts = ServerAccounts(router: Router(), logger: .silent, metrics: Metrics(), rate: .off)
        self.lot = try #require(
            ParkingLot(limits: ParkingLot.Limits(total: 1, perAddress: 0, time: 60_000_000), accounts: accounts))
        var pair: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        try #require(unsafe socketpair(AF_UNIX, kind, 0, &pair) == 0)
        self.client = pair[1]
        // The lot has a duplicate: another descriptor of the same socket.
        guard case .parked = self.lot.park(self.reply, descriptor: pair[0], Self.request) else {
            throw CancellationError()
        }
        func target(_ name: String) -> String? {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
        }
        let name = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
            .first { $0 != "\(pair[0])" && target($0) == target("\(pair[0])") }
        self.socket = try #require(name.flatMap { Int32($0) })
        close(pair[0])
    }

    deinit {
        close(self.client)
        // Its answer lingers in the lot until the client has closed.
        self.lot.handle((tag: ParkedConnection.tag(socket: self.socket, serial: 1), flags: EventSet.readable))
    }

    /// What has come by now.
    var received: String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = unsafe recv(self.client, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    }
}
