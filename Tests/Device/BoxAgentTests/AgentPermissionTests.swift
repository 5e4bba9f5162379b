import Glibc
import HTTPClient
import RealPrograms
import TestSupport
import Testing

@Suite("What callers may do at latchkey agent", .serialized, .timeLimit(.minutes(5)))
struct AgentPermissionTests {
    @Test(.agent, .enabled(if: geteuid() == 0))
    func `knows callers by the kernel's word, and lets each do what it was permitted`() async throws {
        try await agent.signIn(service)
        let authorize = "/v1/requestors/NORTHSPORT/authorize"
        #expect(try await agent.call(.post, authorize, "{\"resource\":\"A\"}").status == 200)
        _ = try await agent.event("authorized")
        let kodi = 12_345
        let other = 12_346
        let own = try await agent.call(as: kodi, "GET", "/v1/permission").json
        #expect(own["application"]?.text == "user:12345" && own["permission"]?.text == "undetermined")
        #expect(try await agent.call(as: kodi, "POST", "/v1/permission").status == 202)
        #expect(try await agent.event("permission_asked")["application"]?.text == "user:12345")

        let calls = [
            ("GET", "/v1/status"), ("GET", "/v1/requestors/NORTHSPORT"),
            ("GET", "/v1/requestors/NORTHSPORT/providers"),
            ("POST", RunningAgent.pairing), ("GET", RunningAgent.pairing), ("DELETE", RunningAgent.pairing),
            ("GET", "/v1/events?after=1"),
            ("POST", "/v1/requestors/NORTHSPORT/authorize"), ("POST", "/v1/requestors/NORTHSPORT/preauthorize"),
            ("GET", "/v1/requestors/NORTHSPORT/metadata?key=zip"), ("DELETE", "/v1/requestors/NORTHSPORT/sign-in"),
        ]
        let path = "/v1/permissions/user:12345"
        for (permission, code) in [("undetermined", "permission_undetermined"), ("denied", "permission_denied")] {
            #expect(try await agent.call(.put, path, "{\"permission\":\"\(permission)\"}").status == 204)
            for (method, path) in calls {
                let answer = try await agent.call(as: kodi, method, path)
                #expect(answer.status == 403 && answer.json["error"]?.text == code, "\(method) \(path): \(answer)")
            }
        }
        #expect(try await agent.call(.put, path, "{\"permission\":\"granted\"}").status == 204)
        for (method, path) in calls {
            #expect(try await agent.call(as: kodi, method, path).status != 403, "\(method) \(path)")
            #expect(try await agent.call(as: other, method, path).status == 403, "\(method) \(path)")
        }
        // Deciding is for operators, whatever else one may do; and so are events about asking, and of what others play.
        #expect(try await agent.call(as: kodi, "GET", "/v1/permissions").status == 403)
        let change = "{\"permission\":\"granted\"}"
        #expect(try await agent.call(as: kodi, "PUT", "/v1/permissions/user:12346", change).status == 403)
        let events = try await agent.call(as: kodi, "GET", "/v1/events?after=1").json
        let kinds = events["events"]?.list.compactMap { $0["event"]?.text } ?? []
        #expect(kinds.contains("approved") && Set(kinds).isDisjoint(with: ["permission_asked", "authorized"]))
    }

    @Test(.agent, .enabled(if: ControlGroup.isAvailable)) func `tells units of one user apart`() async throws {
        let kodi = try #require(ControlGroup("kodi-\(getpid()).service"))
        let player = try #require(ControlGroup("player-\(getpid()).service"))
        let path = "/v1/permission"
        let name = "unit:\(kodi.unit)"
        #expect(try await agent.call(as: 12_345, in: kodi, "GET", path).json["application"]?.text == name)
        #expect(try await agent.call(.put, "/v1/permissions/\(name)", "{\"permission\":\"granted\"}").status == 204)
        #expect(try await agent.call(as: 12_345, in: kodi, "GET", "/v1/status").status == 200)
        #expect(try await agent.call(as: 12_345, in: player, "GET", "/v1/status").status == 403)
        #expect(try await agent.call(as: 12_345, "GET", "/v1/status").status == 403)
    }

    @Test("permissions are decided from the command line, and last over a restart", .enabled(if: geteuid() == 0))
    func permissionCommand() async throws {
        let service = try ScriptedService()
        let folder = try RunningAgent.folder(service.url)
        let agent = try RunningAgent(folder)
        try await agent.isReady()
        func latchkey(_ words: String...) async throws -> (end: ChildProcess.End, output: String, talk: String) {
            try await ChildProcess(ProgramFolder.own.box, words + ["--socket", agent.socket]).run()
        }
        #expect(try await agent.call(as: 12_345, "POST", "/v1/permission").status == 202)
        #expect(try await latchkey("permission", "list").output == "user:12345  undetermined\n")
        #expect(try await latchkey("permission", "grant", "user:12345").end == .exited(0))
        #expect(try await agent.call(as: 12_345, "GET", "/v1/status").status == 200)
        let wrong = try await latchkey("permission", "grant", "12345", "--json")
        #expect(wrong.end == .exited(64) && wrong.talk == "" && wrong.output.contains("\"code\":\"usage\""))
        let changed = try await latchkey("permission", "grant", "user:12345", "--json").output
        #expect(changed.contains("\"event\":\"permission_changed\"") && changed.contains("\"permission\":\"granted\""))
        #expect(try await latchkey("permission", "list", "--json").output.contains("\"permissions\":[{\"application\""))
        #expect(await agent.stop() == .exited(0))
        #expect(try await latchkey("permission", "list").end == .exited(69))
        #expect(try await latchkey("permission", "grant", "--help").output.contains("  74  "))
        let next = try RunningAgent(folder)
        try await next.isReady()
        #expect(try await next.call(as: 12_345, "GET", "/v1/status").status == 200)
        #expect(try await latchkey("permission", "reset", "user:12345").end == .exited(0))
        #expect(try await next.call(as: 12_345, "GET", "/v1/status").status == 403)
        #expect(await next.stop() == .exited(0))
    }
}
