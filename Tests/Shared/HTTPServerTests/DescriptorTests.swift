import Foundation
import HTTPServer
import TestSupport
import Testing

@testable import HTTPServer

@Suite("A server's descriptors", .timeLimit(.minutes(5)), .serialized)
struct DescriptorTests {
    @Test("never run out, however many connections and held requests there are", arguments: [256, 160])
    func flood(limit: Int) async throws {
        let server = try Self.start(limit: limit)
        let address = try await Self.address(server)
        // Those who work, and one whose answer takes longer than the second after which libdispatch opens a file.
        let workers = try (0..<8).map { _ in try RawClient(address) }
        let clock = try RawClient(address)
        for client in workers + [clock] {
            try await client.send(Self.request("/hello"))
            #expect(try await client.answer().status == 200)
        }
        var crowd: [RawClient] = []
        for index in 0..<600 {
            let client = try RawClient(address)
            crowd.append(client)
            if index % 2 == 0 { await client.sendWhatGoes(Self.request("/held")) }
        }
        try await clock.send(Self.request("/later"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in workers {
                group.addTask {
                    while !Task.isCancelled {
                        try await worker.send(Self.request("/task"))
                        #expect(try await worker.answer().status == 200)
                    }
                }
            }
            #expect(try await clock.answer().status == 200)
            group.cancelAll()
            try await group.waitForAll()
        }
        crowd = []
        // The room is free as soon as the server has seen that they left.
        var status = 0
        while status != 200 {
            try Task.checkCancellation()
            let client = try RawClient(address)
            await client.sendWhatGoes(Self.request("/hello"))
            status = (try? await client.answer().status) ?? 0
        }
        server.send(SIGKILL)
        #expect(await server.waitForEnd() == .signalled(SIGKILL))
    }

    @Test func `are not shared out when they are too few to serve with`() async throws {
        let server = try Self.start(limit: 64)
        let end = await server.run()
        #expect(end.output.contains("the process may open 64 files"))
    }

    @Test func `are shared between connections and held requests, and neither takes the other's`() throws {
        let all = try #require(
            DescriptorBudget(limit: 1_000_000, open: 40, reserve: 64, connections: 4096, held: 100_000))
        #expect(all.connections == 4096 && all.held == 100_000 && !all.isReduced)
        let few = try #require(DescriptorBudget(limit: 256, open: 40, reserve: 64, connections: 4096, held: 100_000))
        #expect(few.connections == 76 && few.held == 76 && few.isReduced)
        let fewHeld = try #require(DescriptorBudget(limit: 256, open: 40, reserve: 64, connections: 4096, held: 10))
        #expect(fewHeld.connections == 136 && fewHeld.held == 10)
        #expect(DescriptorBudget(limit: 128, open: 40, reserve: 64, connections: 4096, held: 10) == nil)
        for limit in 136...2000 {
            for held in [1, 16, 100, 100_000] {
                let budget = try #require(
                    DescriptorBudget(limit: limit, open: 40, reserve: 64, connections: 4096, held: held))
                #expect(budget.connections + budget.held <= limit - 104)
                #expect(budget.connections >= DescriptorBudget.least && budget.held >= min(held, 16))
            }
        }
    }

    private static func start(limit: Int) throws -> ChildProcess {
        let program = ProgramFolder.own.program("SmallServer")
        return try ChildProcess("/bin/sh", ["-c", "ulimit -n \(limit); exec \"$0\"", program])
    }

    private static func request(_ path: String) -> [UInt8] { Array("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n".utf8) }

    private static func address(_ server: ChildProcess) async throws -> HTTPListenerAddress {
        for await line in server.outputLines {
            return .tcp(host: "127.0.0.1", port: try #require(Int(line), "\(line)"))
        }
        throw CancellationError()
    }
}
