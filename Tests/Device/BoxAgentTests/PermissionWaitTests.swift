import Glibc
import HTTPClient
import RealPrograms
import TestSupport
import Testing

@Suite(
    "An application that waits for its permission", .serialized, .timeLimit(.minutes(5)), .enabled(if: geteuid() == 0))
struct PermissionWaitTests {
    private static let kodi = 12_345
    private static let path = "/v1/permission?wait=50"

    private typealias Answer = (status: Int, json: JSON)

    @Test(
        "hears the decision when it is made, and at once when it was made before; a second wait of it is refused",
        .agent, arguments: ["granted", "denied"])
    func decision(permission: String) async throws {
        try await withThrowingTaskGroup(of: Answer.self) { group in
            for _ in 0..<2 { group.addTask { try await agent.call(as: Self.kodi, "POST", Self.path) } }
            let refused = try #require(try await group.next())
            #expect(refused.status == 429 && refused.json["error"]?.text == "too_many_requests")
            // Another application has a wait of its own.
            #expect(try await agent.call(as: 12_346, "POST", "/v1/permission?wait=0").status == 202)
            let change = "{\"permission\":\"\(permission)\"}"
            #expect(try await agent.call(.put, "/v1/permissions/user:\(Self.kodi)", change).status == 204)
            let told = try #require(try await group.next())
            #expect(told.status == 200 && told.json["permission"]?.text == permission)
            #expect(told.json["application"]?.text == "user:\(Self.kodi)")
        }
        let again = try await agent.call(as: Self.kodi, "POST", Self.path)
        #expect(again.status == 200 && again.json["permission"]?.text == permission)
        for query in ["?wait=56", "?wait=-1", "?wait=x", "?until=1"] {
            #expect(try await agent.call(as: Self.kodi, "POST", "/v1/permission\(query)").status == 400, "\(query)")
        }
    }

    @Test func `is answered when the agent stops`() async throws {
        let agent = try RunningAgent(try RunningAgent.folder(try ScriptedService().url))
        try await agent.isReady()
        async let asked = agent.call(as: Self.kodi, "POST", Self.path)
        _ = try await agent.event("permission_asked")
        #expect(await agent.stop() == .exited(0))
        let answer = try await asked
        #expect(answer.status == 202 && answer.json["permission"]?.text == "undetermined")
    }
}
