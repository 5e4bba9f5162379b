import HTTPClient
import RealPrograms
import Synchronization
import TestSupport
import Testing

@Suite("The real server program", .serialized, .timeLimit(.minutes(5)))
struct ServerProgramTests {
    @Test(.pair) func `It says that it lives, that it is ready, and what it counted`() async throws {
        for path in ["/healthz", "/readyz"] { #expect(try await pair.server.get(path).status == 200) }
        #expect(try await pair.server.metric("http_held_requests") == 0)
    }

    @Test(.pair) func `Asked to stop, it answers the polls it holds as pending, and ends with success`() async throws {
        let code = try await pair.createCode(device: "held")
        let path = "/api/v1/checkauthn/\(code)?requestor=\(DemoFolder.compatibleRequestor)"
        async let answer = pair.call(.get, path, headers: ["Prefer": "wait=50"])
        try await pair.server.waitUntilHeld(1)
        #expect(await pair.server.stop() == .exited(0))
        let response = try await answer
        #expect(response.status == 403)
        #expect(response.headers["Preference-Applied"] == "wait=50")
    }

    @Test("Killed while codes are created, it has every code it answered with", .pair, arguments: [1, 7, 40, 150])
    func killedWhileWriting(after answers: Int) async throws {
        let known = await withTaskGroup(of: [String].self) { group in
            let enough = Signal<Void>()
            let counter = Counter(enough, at: answers)
            for worker in 0..<16 {
                group.addTask {
                    var codes: [String] = []
                    // Until the server is gone.
                    while let code = try? await pair.createCode(device: "worker-\(worker)-\(codes.count)") {
                        codes.append(code)
                        counter.count()
                    }
                    return codes
                }
            }
            _ = await enough.next()
            await pair.server.kill()
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(known.count >= answers)
        let again = try await RunningServer.start(pair.demo, .own)
        for code in known {
            let path = "/reggie/v1/\(DemoFolder.compatibleRequestor)/regcode/\(code)"
            #expect(try await again.get(path).status == 200)
        }
        await again.stop()
    }

    @Test("Killed right after the viewer confirmed, it still knows that the box is signed in", .pair)
    func killedAfterConfirming() async throws {
        let code = try await pair.createCode(device: "confirmed")
        let url = "\(pair.server.url)/activate?code=\(code)"
        try await pair.decide(.confirm, on: RunningBox.Code(text: code, url: url))
        await pair.server.kill()
        let again = try await RunningServer.start(pair.demo, .own)
        let path = "/api/v1/checkauthn/\(code)?requestor=\(DemoFolder.compatibleRequestor)"
        #expect(try await again.get(path).status == 200)
        await again.stop()
    }

    @Test func `A client that does not finish its request is let go, and others are served meanwhile`() async throws {
        try await Pair.with { configuration in
            configuration["server"]?["idleTimeout"] = "1s"
            configuration["server"]?["requestTimeout"] = "2s"
        } _: { pair in
            let slow = try RawConnection(port: pair.port)
            slow.send("GET /healthz HTTP/1.1\r\nHost: ")
            #expect(try await pair.server.get("/healthz").status == 200)
            let answer = try await slow.receiveAll()
            #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 408"))
        }
    }

    @Test("A body of ten megabytes is 413, whether announced or in chunks", .pair, arguments: [true, false])
    func largeBody(isAnnounced: Bool) async throws {
        let path = "/reggie/v1/\(DemoFolder.compatibleRequestor)/regcode"
        let size = 10 << 20
        let connection = try RawConnection(port: pair.port)
        connection.send("POST \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n")
        async let answer = connection.receiveAll()
        if isAnnounced {
            connection.send("Content-Length: \(size)\r\n\r\n")
            connection.send([UInt8](repeating: UInt8(ascii: "a"), count: size))
        } else {
            connection.send("Transfer-Encoding: chunked\r\n\r\n")
            let chunk =
                Array("10000\r\n".utf8) + [UInt8](repeating: UInt8(ascii: "a"), count: 65_536) + Array("\r\n".utf8)
            for _ in 0..<(size / 65_536) where connection.send(chunk) == false { break }
            connection.send("0\r\n\r\n")
        }
        #expect(try await answer.hasPrefix("HTTP/1.1 413 "))
        #expect(try await pair.server.get("/healthz").status == 200)
    }

    @Test(
        "A head of 22 KB is read (rest-v1 3.3), one of 64 KB is 431, and the server goes on", .pair,
        arguments: [(22, 200), (64, 431)])
    func largeHeader(kilobytes: Int, status: Int) async throws {
        let connection = try RawConnection(port: pair.port)
        let header = String(repeating: "a", count: kilobytes << 10)
        connection.send("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nX-Long: \(header)\r\n\r\n")
        #expect(try await connection.receiveAll().hasPrefix("HTTP/1.1 \(status) "))
        #expect(try await pair.server.get("/healthz").status == 200)
    }

    @Test(.pair) func `A port that is taken is said to be taken, with an exit code of its own`() async throws {
        let folder = try TemporaryFolder()
        let demo = try await DemoFolder.make(.own, in: folder.file("server")) { _ in }
        let arguments = ["serve", "--config", demo.serverConfiguration, "--listen", "127.0.0.1:\(pair.port)"]
        let second = try await ChildProcess(ProgramFolder.own.server, arguments).run()
        #expect(second.end == .exited(71))
        #expect(second.talk.contains("\(pair.port)"), "the address is named")
        #expect(try await pair.server.get("/healthz").status == 200)
    }

    @Test func `A store where nothing can be written is said to be so, and nothing is served`() async throws {
        let folder = try TemporaryFolder()
        let demo = try await DemoFolder.make(.own, in: folder.file("server")) { configuration in
            // Where not even root can make files.
            configuration["store"] = ["file": "/sys/latchkeyd.sqlite"]
        }
        let (end, _, talk) = try await ChildProcess(
            ProgramFolder.own.server, ["serve", "--config", demo.serverConfiguration]
        ).run()
        #expect(end == .exited(74))
        #expect(talk.contains("/sys/latchkeyd.sqlite"), "the file is named")
    }

    @Test func `Every fault of a configuration is listed at once, with its place`() async throws {
        let folder = try TemporaryFolder()
        let demo = try await DemoFolder.make(.own, in: folder.file("server")) { configuration in
            configuration["server"]?["publicURL"] = "not a url"
            configuration["pairing"] = ["codesPerDevice": 0]
            configuration["clals"] = [:]
        }
        let (end, output, talk) = try await ChildProcess(
            ProgramFolder.own.server, ["check-config", "--config", demo.serverConfiguration]
        ).run()
        #expect(end == .exited(78))
        for place in ["server.publicURL", "pairing.codesPerDevice", "clals"] {
            #expect((output + talk).contains(place))
        }
    }
}

/// Counts up to a number and says when it is reached.
private final class Counter: Sendable {
    private let signal: Signal<Void>
    private let goal: Int
    private let value = Mutex(0)

    init(_ signal: Signal<Void>, at goal: Int) {
        self.signal = signal
        self.goal = goal
    }

    func count() {
        let isReached = self.value.withLock { value in
            value += 1
            return value == self.goal
        }
        if isReached { self.signal.send(()) }
    }
}
