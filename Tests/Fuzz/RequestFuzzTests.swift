import HTTPClient
import RealPrograms
import TestSupport
import Testing

@Suite("The real server, sent damaged requests", .timeLimit(.minutes(2)))
struct RequestFuzzTests {
    /// At a time: enough to have requests of all kinds beside each other.
    private static let lanes = 8
    private static let requestsPerLane = 500

    @Test("answers each of them soundly, never with a fault of its own, and goes on")
    func damagedRequests() async throws {
        let folder = try TemporaryFolder()
        let demo = try await DemoFolder.make(.own, in: folder.file("server")) { configuration in
            // Or the limit on guessing would answer nearly everything.
            for limit in ["codeGuesses", "codeGuessesOfSession"] {
                configuration["pairing"]?[limit] = .object(["failures": .number(1_000_000)])
            }
        }
        let server = try await RunningServer.start(demo, .own)
        let corpus = try await FuzzCorpus(server)
        let statuses = try await withThrowingTaskGroup(of: Set<Int>.self) { group in
            for lane in 0..<Self.lanes {
                group.addTask { try await Self.run(seed: UInt64(lane), corpus, server) }
            }
            return try await group.reduce(into: Set<Int>()) { $0.formUnion($1) }
        }
        // A fuzz that is stopped at the door proves little: success and each refusal must have been among the answers.
        for status in [200, 201, 204, 302, 303, 400, 401, 403, 404, 405] {
            #expect(statuses.contains(status), "nothing was answered with \(status)")
        }
        #expect(try await server.get("/readyz").status == 200)
        #expect(await server.stop() == .exited(0))
        #expect(await !server.log().contains(" error "))
    }

    /// - Returns: the statuses seen.
    private static func run(seed: UInt64, _ corpus: FuzzCorpus, _ server: RunningServer) async throws -> Set<Int> {
        var random = SeededGenerator(seed: seed)
        var statuses: Set<Int> = []
        for _ in 0..<Self.requestsPerLane {
            guard let request = corpus.requests.randomElement(using: &random)?.damaged(&random) else { continue }
            let connection = try RawConnection(port: server.port)
            connection.send(request.bytes)
            let text = try await connection.receiveAll()
            let sent = "seed \(seed): \(String(decoding: request.bytes, as: UTF8.self))"
            let answer = try #require(FuzzAnswer(text), "no answer, but “\(text)”, to \(sent)")
            let fault = answer.fault(to: request.method)
            #expect(fault == nil, "\(text)\nto \(sent)")
            statuses.insert(answer.status)
        }
        return statuses
    }
}
