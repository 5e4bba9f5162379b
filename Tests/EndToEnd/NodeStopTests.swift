import Glibc
import HTTPClient
import RealPrograms
import TestSupport
import Testing

/// What boxes and viewers notice of a node that goes while another stays, with a real nginx before both.
@Suite(
    "A box that waits behind nginx while servers come and go", .serialized, .timeLimit(.minutes(5)),
    .enabled(if: RunningService.hasNodes, "deploy/test nodes does it"))
struct NodeStopTests {
    /// A service of two nodes, as it is at the moment.
    private final class Nodes {
        let folder: TemporaryFolder
        let service: RunningService
        private(set) var servers: [RunningServer]

        init(_ folder: TemporaryFolder, _ service: RunningService) {
            (self.folder, self.service, self.servers) = (folder, service, service.servers)
        }

        /// The number of the node where a box waits.
        func holder() async throws -> Int {
            try await eventually("a held question", within: .seconds(120)) {
                for (number, server) in self.servers.enumerated() {
                    if try await server.metric("http_held_requests") > 0 { return number }
                }
                return nil
            }
        }

        func start(_ number: Int) async throws {
            self.servers[number] = try await RunningServer.start(self.servers[number].demo, .own)
        }

        func confirm(_ code: RunningBox.Code) async throws {
            let phone = Phone()
            let question = try await phone.walkToConfirmation(from: code.url, as: self.service.demo.viewer)
            _ = try await phone.decide(.confirm, on: question)
        }

        func endAll() async {
            for server in self.servers { await server.kill() }
            await self.service.kill()
        }
    }

    private func with(_ body: (Nodes) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let demo = try await DemoFolder.make(.own, in: folder.file("server"))
        let nodes = Nodes(folder, try await RunningService.start(demo))
        try await ending({ await nodes.endAll() }) {
            try await body(nodes)
        }
    }

    @Test("The box whose question a node held is signed in at the other one", arguments: [SIGTERM, SIGKILL])
    func oneGoes(by signal: Int32) async throws {
        try await self.with { nodes in
            let box = try RunningBox.pair(nodes.service.demo, .own, state: nodes.folder.file("box.json"))
            let code = try await box.code()
            let server = nodes.servers[try await nodes.holder()]
            server.send(signal)
            #expect(await server.waitForEnd() == (signal == SIGTERM ? .exited(0) : .signalled(signal)))
            try await nodes.confirm(code)
            try await box.end(with: 0)
        }
    }

    @Test("All are gone for a while: the box says so, keeps its code, and goes on when one is back")
    func allGo() async throws {
        try await self.with { nodes in
            let box = try RunningBox.pair(nodes.service.demo, .own, state: nodes.folder.file("box.json"))
            let code = try await box.code()
            _ = try await nodes.holder()
            for server in nodes.servers { await server.kill() }
            try await box.event("unreachable")
            try await nodes.start(1)
            try await box.event("reachable")
            try await nodes.confirm(code)
            try await box.end(with: 0)
        }
    }

    @Test func `Both are restarted one after the other while a viewer is on the way`() async throws {
        try await self.with { nodes in
            func restart(_ number: Int) async throws {
                #expect(await nodes.servers[number].stop() == .exited(0))
                try await nodes.start(number)
            }
            let demo = nodes.service.demo
            let box = try RunningBox.pair(demo, .own, state: nodes.folder.file("box.json"))
            let phone = Phone()
            var page = try await phone.open(try await box.code().url)
            var number = 0
            while !page.isConfirmation {
                #expect(page.status == 200, "\(page.summary)")
                try await restart(number % 2)
                number += 1
                page = try await phone.goOn(from: page, as: demo.viewer)
            }
            try await restart(number % 2)
            _ = try await phone.decide(.confirm, on: page)
            try await box.end(with: 0)
            #expect(number > 1, "each was restarted")
        }
    }

    @Test func `The box's agent outlives the node that held its question`() async throws {
        try await self.with { nodes in
            let demo = nodes.service.demo
            let agent = try RunningAgent(
                try RunningAgent.folder(
                    demo.url, requestors: [DemoFolder.strictRequestor],
                    softwareStatement: try demo.softwareStatement()))
            try await agent.isReady()
            let start = try await agent.start()
            let begun = try await agent.call(.post, "/v1/requestors/\(DemoFolder.strictRequestor)/pairing", "{}")
            try #require(begun.status == 201, "\(begun.json)")
            await nodes.servers[try await nodes.holder()].kill()
            let text = try #require(begun.json["code"]?.text)
            try await nodes.confirm(RunningBox.Code(text: text, url: "\(demo.url)/activate?code=\(text)"))
            #expect(try await agent.event("approved", after: start)["mvpd"]?.text == DemoFolder.provider)
            #expect(await agent.stop() == .exited(0))
        }
    }
}
