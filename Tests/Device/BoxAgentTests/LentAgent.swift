import HTTPClient
import Lending
import RealPrograms
import TestSupport
import Testing

/// A running agent and the service that it talks to, for one test.
struct LentAgent: Sendable {
    @TaskLocal static var current: LentAgent?

    let agent: RunningAgent
    let service: ScriptedService

    /// - Parameter more: further members of the agent's configuration, in JSON5.
    static func with(
        _ requestors: [String] = ["NORTHSPORT", "SOUTHSPORT"], more: String = "",
        _ change: (inout ScriptedService.Behaviour) -> Void = { _ in }, body: (LentAgent) async throws -> Void
    ) async throws {
        let service = try ScriptedService(change)
        let agent = try RunningAgent(try RunningAgent.folder(service.url, requestors: requestors, more: more))
        try await agent.isReady()
        try await body(LentAgent(agent: agent, service: service))
        #expect(await agent.stop() == .exited(0))
    }
}

var agent: RunningAgent { LentAgent.$current.lent().agent }

var service: ScriptedService { LentAgent.$current.lent().service }

extension Trait where Self == Lending<LentAgent> {
    static var agent: Self { .agent(["NORTHSPORT", "SOUTHSPORT"]) }

    static func agent(_ requestors: [String]) -> Self {
        Lending(LentAgent.$current) { try await LentAgent.with(requestors, body: $0) }
    }

    /// An agent of one requestor that is signed in.
    static var signedIn: Self {
        Lending(LentAgent.$current) { body in
            try await LentAgent.with(["NORTHSPORT"]) { lent in
                try await lent.agent.signIn(lent.service)
                try await body(lent)
            }
        }
    }
}

extension RunningAgent {
    static let pairing = "/v1/requestors/NORTHSPORT/pairing"

    func signIn(_ service: ScriptedService) async throws {
        let begun = try await self.call(.post, Self.pairing, "{}")
        try #require(begun.status == 201, "\(begun.json)")
        while await service.asked.next()?.hasSuffix("/session") != true {}
        service.confirm()
        let approved = try await self.event("approved")
        #expect(approved["requestor"]?.text == "NORTHSPORT" && approved["mvpd"]?.text == "CableNova")
    }
}
