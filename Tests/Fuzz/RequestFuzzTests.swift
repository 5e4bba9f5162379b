import HTTPClient
import RealPrograms
import TestSupport
import Testing

@Suite("The real server, sent damaged requests", .timeLimit(.minutes(5)))
struct RequestFuzzTests {
    /// At a time: enough to have requests of all kinds beside each other.
    private static let lanes = 8
    private static let requestsPerLane = 500

    @Test func `answers each of them soundly, never with a fault of its own, and goes on`() async throws {
        let folder = try TemporaryFolder()
        let demo = try await DemoFolder.make(.own, in: folder.file("server")) { configuration in
            // Or the limit on guessing would answer nearly everything.
            for limit in ["codeGuesses", "codeGuessesOfSession", "passwordGuesses"] {
                configuration["pairing"]?[limit] = .object(["failures": .number(1_000_000)])
            }
        }
        let server = try await RunningServer.start(demo, .own)
        let corpus = try await FuzzCorpus(server)
        async let answer = Self.hold(corpus.poll, server)
        try await server.waitUntilHeld(1)
        let seen = try await concurrently(Self.lanes) { try await Self.run(seed: UInt64($0), corpus, server) }
            .reduce(into: Seen()) { $0.add($1) }
        let statuses = seen.all
        // Or nothing that a client signs was damaged.
        #expect(seen.signed.contains(200) && seen.signed.contains(401), "\(seen.signed)")
        // A fuzz that is stopped at the door proves little: success and each refusal must have been among the answers.
        for status in [200, 201, 204, 302, 303, 400, 401, 403, 404, 405] {
            #expect(statuses.contains(status), "nothing was answered with \(status)")
        }
        // The box that waited all the while is told.
        let client = HTTPClient()
        let phone = Phone(client)
        let question = try await phone.walkToConfirmation(
            from: "\(server.url)/activate?code=\(corpus.heldCode)", as: server.demo.viewer)
        _ = try await phone.decide(.confirm, on: question)
        #expect(try await answer == 200)
        await client.shutDown()
        #expect(try await server.get("/readyz").status == 200)
        #expect(await server.stop() == .exited(0))
        #expect(await !server.log().contains(" error "))
    }

    /// The statuses of the answers, and of those to requests that were damaged before they were signed.
    private struct Seen: Sendable {
        var all: Set<Int> = []
        var signed: Set<Int> = []

        mutating func add(_ other: Seen) {
            self.all.formUnion(other.all)
            self.signed.formUnion(other.signed)
        }
    }

    /// Asks until the box is signed in, held each time as long as the server does.
    /// - Returns: the last status.
    private static func hold(_ poll: FuzzRequest, _ server: RunningServer) async throws -> Int {
        var random = SeededGenerator(seed: 100)
        while true {
            var poll = poll
            poll.sign(&random)
            let connection = try RawConnection(port: server.port)
            connection.send(poll.bytes)
            let status = FuzzAnswer(try await connection.receiveAll())?.status ?? 0
            // Not yet: the hold ended.
            guard status == 403 else { return status }
        }
    }

    private static func run(seed: UInt64, _ corpus: FuzzCorpus, _ server: RunningServer) async throws -> Seen {
        var random = SeededGenerator(seed: seed)
        var seen = Seen()
        for _ in 0..<Self.requestsPerLane {
            guard let sound = corpus.requests.randomElement(using: &random) else { continue }
            let isSigned = sound.signature.map { $0.isStrict || Bool.random(using: &random) } ?? false
            let request = isSigned ? sound.signedAnew(&random) : sound.damaged(&random)
            let connection = try RawConnection(port: server.port)
            connection.send(request.bytes)
            let text = try await connection.receiveAll()
            let sent = "seed \(seed): \(String(decoding: request.bytes, as: UTF8.self))"
            let answer = try #require(FuzzAnswer(text), "no answer, but “\(text)”, to \(sent)")
            #expect(answer.fault(to: request.method) == nil, "\(text)\nto \(sent)")
            seen.all.insert(answer.status)
            if isSigned { seen.signed.insert(answer.status) }
        }
        return seen
    }
}
