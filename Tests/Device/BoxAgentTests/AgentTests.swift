import Glibc
import HTTPClient
import RealPrograms
import Synchronization
import TestSupport
import Testing

@testable import latchkey

@Suite("latchkey agent", .serialized, .timeLimit(.minutes(5)))
struct AgentTests {
    @Test("says that no TV provider can be used, in place of a code that leads nowhere", .agent(["NORTHSPORT"]))
    func noProvider() async throws {
        service.set { $0.providers = [] }
        let refused = try await agent.call(.post, RunningAgent.pairing)
        #expect(refused.status == 409 && refused.json["error"]?.text == "no_provider")
        #expect(refused.json["message"]?.text?.contains("no TV provider") == true, "\(refused.json)")
        // A terminal that closes does not end it.
        agent.process.send(SIGHUP)
    }

    @Test(.agent) func `pairs once for all that ask, gives tokens, and signs one requestor out alone`() async throws {
        let signedOut = try await agent.call(.get, "/v1/requestors/NORTHSPORT").json
        #expect(signedOut["state"]?.text == "signed_out" && signedOut["reason"]?.text == "never")
        #expect(try await agent.call(.get, RunningAgent.pairing).status == 404)
        #expect(
            try await agent.call(.post, "/v1/requestors/NORTHSPORT/authorize", "{\"resource\":\"A\"}").status == 409
        )

        async let one = agent.call(.post, RunningAgent.pairing, "{}")
        async let other = agent.call(.post, RunningAgent.pairing)
        let both = try await [one, other]
        #expect(Set(both.map(\.status)) == [200, 201])
        #expect(both[0].json["code"] == both[1].json["code"])
        let shown = both[0].json
        #expect(shown["displayCode"]?.text?.filter { $0 != "-" } == shown["code"]?.text)
        #expect(shown["opened"]?.bool == false)
        #expect(shown["qr"]?.text?.hasPrefix("data:image/png;base64,") == true)
        #expect(service.calls.count { $0.hasSuffix("/regcode") } == 1)
        #expect(try await agent.call(.get, "/v1/requestors/NORTHSPORT").json["state"]?.text == "pairing")
        #expect(try await agent.event("code_issued")["code"] == shown["code"])
        while await service.asked.next()?.hasSuffix("/session") != true {}
        service.confirm()
        #expect(try await agent.event("approved")["mvpd"]?.text == "CableNova")

        let status = try await agent.call(.get, "/v1/status").json
        #expect(status["version"]?.number == 1 && status["requestors"]?.list.count == 2)
        let here = try #require(status["requestors"]?.list.first)
        #expect(here["state"]?.text == "signed_in" && here["mvpdName"]?.text == "Cable Nova")
        #expect(try await agent.call(.post, RunningAgent.pairing).json["error"]?.text == "already_signed_in")

        let token = try await agent.call(.post, "/v1/requestors/NORTHSPORT/authorize", "{\"resource\":\"A\"}")
        #expect(token.status == 200 && token.json["token"]?.text?.isEmpty == false, "\(token)")
        let authorized = try await agent.event("authorized")
        #expect(authorized["resource"]?.text == "A" && authorized["token"] == nil)
        service.set { $0.permitted = [] }
        let denied = try await agent.call(.post, "/v1/requestors/NORTHSPORT/authorize", "{\"resource\":\"B\"}")
        #expect(denied.status == 422 && denied.json["error"]?.text == "not_authorized")
        #expect(denied.json["providerMessage"]?.text == "Your package lacks this channel.")

        #expect(try await agent.call(.delete, "/v1/requestors/NORTHSPORT/sign-in").status == 204)
        #expect(try await agent.event("signed_out")["reason"]?.text == "signed_out")
        let gone = try await agent.call(.get, "/v1/requestors/NORTHSPORT").json
        #expect(gone["state"]?.text == "signed_out" && gone["reason"]?.text == "signed_out")
    }

    @Test(.agent) func `cancels a pairing for good, and begins the next with another code`() async throws {
        #expect(try await agent.call(.delete, RunningAgent.pairing).status == 204)
        #expect(try await agent.call(.post, RunningAgent.pairing).status == 201)
        #expect(try await agent.call(.delete, RunningAgent.pairing).status == 204)
        _ = try await agent.event("cancelled")
        #expect(try await agent.call(.get, RunningAgent.pairing).status == 404)
        #expect(service.calls.contains { $0.hasPrefix("DELETE ") })
        #expect(try await agent.call(.post, RunningAgent.pairing).status == 201)
        #expect(service.calls.count { $0.hasSuffix("/regcode") } == 2)
    }

    @Test(
        "leaves the asking to another program that pairs the same requestor, and takes it over when that ends", .agent)
    func onePoller() async throws {
        let state = agent.folder.file("state/requestors/NORTHSPORT.json")
        let other = Mutex(PairingTurn(beside: state))
        #expect(other.withLock { $0 != nil })
        async let begun = agent.call(.post, RunningAgent.pairing)
        try await eventually("a pairing") {
            try await agent.call(.get, "/v1/requestors/NORTHSPORT").json["state"]?.text == "pairing" ? () : nil
        }
        #expect(!service.calls.contains { $0.hasSuffix("/regcode") })
        other.withLock { $0 = nil }
        #expect(try await begun.status == 201)
        #expect(service.calls.count { $0.hasSuffix("/regcode") } == 1)
    }

    @Test(.agent) func `says what is wrong with a request, and serves the next`() async throws {
        let authorize = "/v1/requestors/NORTHSPORT/authorize"
        let cases: [(HTTPClient.Method, String, String?, Int, String)] = [
            (.get, "/v1/nothing", nil, 404, "not_found"),
            (.get, "/v1/requestors/NOBODY", nil, 404, "unknown_requestor"),
            (.put, "/v1/status", nil, 405, "method_not_allowed"),
            (.get, "/v1/status?x=1", nil, 400, "bad_request"),
            (.post, authorize, "not json", 400, "bad_request"),
            (.post, authorize, "[]", 400, "bad_request"),
            (.post, "/v1/permission", "{\"a\":" + String(repeating: "[", count: 500), 400, "bad_request"),
            (.post, authorize, "{\"resource\":\"[[[[[[[[[[[[[[[[[[[\\u0000\"}", 400, "bad_request"),
            (.post, authorize, "{}", 400, "bad_request"),
            (.post, authorize, "{\"resource\":1}", 400, "bad_request"),
            (.post, authorize, "{\"resource\":\"\"}", 400, "bad_request"),
            (.post, authorize, "{\"resource\":\"a\\u0000\"}", 400, "bad_request"),
            (.post, authorize, "{\"resource\":" + String(repeating: "[", count: 9) + "}", 400, "bad_request"),
            // As an MRSS document is printed, and not cut short at a bracket of a text.
            (.post, authorize, "{\"resource\":\"<rss>\\r\\n\\t[[[[[[[[[\\\"[</rss>\"}", 409, "not_signed_in"),
            (.post, authorize, "{\"resource\":\"A\",\"more\":1}", 400, "bad_request"),
            (.post, authorize, String(repeating: " ", count: 65 << 10), 413, "too_large"),
            (.post, "/v1/requestors/NORTHSPORT/preauthorize", "{\"resources\":[]}", 400, "bad_request"),
            (.post, RunningAgent.pairing, "{\"mvpd\":7}", 400, "bad_request"),
            (.post, RunningAgent.pairing, "{\"mvpd\":\"Nowhere\"}", 400, "bad_request"),
            (.get, "/v1/requestors/NORTHSPORT/metadata", nil, 400, "bad_request"),
            (.get, "/v1/events?after=x", nil, 400, "bad_request"),
            (.get, "/v1/events?after=1&wait=56", nil, 400, "bad_request"),
            (.get, "/v1/events?after=1&after=2", nil, 400, "bad_request"),
            (.put, "/v1/permissions/kodi", "{\"permission\":\"granted\"}", 400, "bad_request"),
            (.put, "/v1/permissions/user:kodi", "{\"permission\":\"yes\"}", 400, "bad_request"),
        ]
        for (method, path, body, status, code) in cases {
            let answer = try await agent.call(method, path, body)
            #expect(answer.status == status && answer.json["error"]?.text == code, "\(path) \(body ?? ""): \(answer)")
            #expect(answer.json["message"]?.text?.isEmpty == false)
        }
        #expect(try await agent.call(.get, "/v1/status").status == 200)
    }

    /// Runs a command of the box whose configuration names the agent's socket, and other credentials than the agent's.
    private func latchkey(_ words: String...) async throws -> (end: ChildProcess.End, output: String, talk: String) {
        let file = try agent.folder.write(
            """
            { server: '\(service.url)', requestor: 'NORTHSPORT', softwareStatement: 'other.b.c', scope: 'other',
              agent: { socket: '\(agent.socket)' } }
            """, to: "box.json5")
        return try await ChildProcess(ProgramFolder.own.box, words + ["--config", file]).run()
    }

    @Test("pairs the box and signs another box out by the commands where the configuration names its socket", .agent)
    func pairingCommands() async throws {
        async let pairing = self.latchkey("pair", "--json")
        while await service.asked.next()?.hasSuffix("/session") != true {}
        service.confirm()
        let paired = try await pairing
        let events = paired.output.split(separator: "\n").map { try? JSON(parsing: $0)["event"]?.text }
        #expect(paired.end == .exited(0) && events.first == "code_issued" && events.last == "approved", "\(paired)")
        #expect(try await agent.event("approved")["mvpd"]?.text == "CableNova")
        let again = try await self.latchkey("pair")
        #expect(again.end == .exited(0) && again.talk.hasPrefix("This TV is signed in with Cable Nova already."))
        let unknown = try await self.latchkey("boxes", "sign-out", "Cellar", "--yes")
        #expect(unknown.end == .exited(1) && unknown.talk.contains("None of your boxes is 'Cellar'."))
        let attic = try await self.latchkey("boxes", "sign-out", "Attic", "--yes")
        #expect(attic.end == .exited(0) && attic.talk == "Attic is signed out.\n", "\(attic)")
        #expect(try await agent.event("box_signed_out")["name"]?.text == "Attic")
    }

    @Test(.agent(["NORTHSPORT"]))
    func `ends a pairing by command at once if only an operator can help, as without an agent`() async throws {
        service.set { $0.providers = [] }
        let empty = try await self.latchkey("pair", "--json")
        #expect(empty.end == .exited(7) && empty.output.contains("\"code\":\"no_provider\""), "\(empty)")
        service.answer("/api/v1/config", with: .response(403, body: "{}"), times: 9)
        let refused = try await self.latchkey("pair", "--json")
        #expect(refused.end == .exited(77) && refused.output.contains("credentials_refused"), "\(refused)")
        #expect(try await agent.event("unreachable")["requestor"]?.text == "NORTHSPORT")
    }

    @Test(.agent) func `is asked by the commands of the box where the configuration names its socket`() async throws {
        try await agent.signIn(service)
        let status = try await latchkey("status")
        #expect(status.end == .exited(0) && status.output.hasPrefix("Signed in with Cable Nova, for "))
        #expect(status.output.contains("\nDevice ID: "))
        #expect(try await latchkey("authorize", "A").output.hasPrefix("PHNpZ25hdHVyZUluZm8+"))
        #expect(try await latchkey("preauthorize", "A", "B").output == "yes  A\nyes  B\n")
        #expect(try await latchkey("metadata", "householdID").output == "3456\n")
        #expect(try await latchkey("providers").output.contains("CableNova  Cable Nova\n"))
        #expect(try await latchkey("boxes").output.contains("Attic"))
        let json = try await latchkey("authorize", "A", "--json").output
        #expect(json.contains("\"event\":\"media_token\"") && json.contains("\"requestor\":\"NORTHSPORT\""))
        service.set { ($0.permitted, $0.logoutURL) = ([], "https://idp.example/logout") }
        let refused = try await latchkey("authorize", "B")
        #expect(refused.end == .exited(3) && refused.talk == "latchkey: Your package lacks this channel.\n")
        let gone = try await latchkey("logout")
        #expect(gone.end == .exited(0) && gone.talk.hasPrefix("Signed out.\n"), "\(gone)")
        #expect(gone.talk.hasSuffix("\n  https://idp.example/logout\n"), "\(gone)")
        #expect(try await agent.event("signed_out")["requestor"]?.text == "NORTHSPORT")
        #expect(try await latchkey("authorize", "A").end == .exited(2))
        #expect(try await latchkey("status", "--json").output.contains("\"checked\":false"), "as without an agent")
    }

    @Test("a second agent says that one runs, with an exit code of its own, and leaves the first alone", .agent)
    func second() async throws {
        let second = try ChildProcess(
            ProgramFolder.own.box,
            ["agent", "--config", agent.folder.file("latchkey.json5"), "--socket", agent.folder.file("other.sock")]
                + ["--state", agent.folder.file("state/state.json")])
        let (end, _, talk) = await second.run()
        #expect(end == .exited(6) && talk.contains("Another agent runs already"))
        // The same socket with another state.
        let third = try ChildProcess(
            ProgramFolder.own.box,
            ["agent", "--config", agent.folder.file("latchkey.json5"), "--socket", agent.socket]
                + ["--state", agent.folder.file("elsewhere/state.json")])
        #expect(await third.run().end == .exited(6))
        #expect(try await agent.call(.get, "/v1/status").status == 200)
    }

    @Test(.agent(["NORTHSPORT"])) func `lists the viewer's boxes, and signs another one out`() async throws {
        let path = "/v1/requestors/NORTHSPORT/boxes"
        #expect(try await agent.call(.get, path).status == 409)
        try await agent.signIn(service)
        let list = try await agent.call(.get, path)
        #expect(list.status == 200 && list.json["more"]?.bool == false, "\(list)")
        let boxes = try #require(list.json["boxes"]?.list)
        #expect(boxes.map { $0["this"]?.bool } == [true, false, false] && boxes[1]["name"]?.text == "Attic")
        #expect(boxes.map { $0["seen"]?.number } == [nil, 1_767_312_000_000, nil])
        #expect(try await agent.call(.delete, "\(path)/ffee1122-33445566").status == 204)
        #expect(try await agent.event("box_signed_out")["name"]?.text == "Attic")
        #expect(try await agent.call(.delete, "\(path)/0000000000000000").json["error"]?.text == "not_found")
        #expect(try await agent.call(.delete, "\(path)/00112233-445566aa").json["error"]?.text == "conflict")
        #expect(try await agent.call(.get, "\(path)?x=1").status == 400)
        service.answer(
            "/adobe-services/boxes",
            with: .response(
                200, headers: ["Latchkey-Sign-In-Ending": "signed_out_elsewhere"], body: "<pendingLogout/>"))
        #expect(try await agent.call(.get, path).json["error"]?.text == "not_signed_in")
        #expect(try await agent.event("signed_out")["reason"]?.text == "signed_out_elsewhere")
    }

    @Test("is small, with one requestor and with fifty", arguments: [(1, 14), (50, 20)])
    func memory(count: Int, megabytes: Int) async throws {
        let names = (0..<count).map { "BRAND\($0)" }
        let service = try ScriptedService { $0.requestors = Set(names) }
        let agent = try RunningAgent(try RunningAgent.folder(service.url, requestors: names))
        try await agent.isReady()
        for name in names {
            // Each is configured, and has its registration, its providers and its state.
            #expect(try await agent.call(.get, "/v1/requestors/\(name)/providers").status == 200)
        }
        let limit = megabytes << 20
        let size = try await eventually("an agent that rests") {
            let size = try ProcessFacts.residentMemory(of: agent.process.pid)
            return size <= limit ? size : nil
        }
        #expect(size <= limit)
        #expect(await agent.stop() == .exited(0))
    }

    @Test func `tells systemd that it is ready, once callers can connect`() async throws {
        let service = try ScriptedService()
        let folder = try RunningAgent.folder(service.url)
        let socket = try DatagramSocket(folder.file("notify.sock"))
        let agent = try RunningAgent(folder, environment: ["NOTIFY_SOCKET": folder.file("notify.sock")])
        #expect(await socket.receive() == "READY=1")
        #expect(try await agent.call(.get, "/v1/status").status == 200)
        #expect(await agent.stop() == .exited(0))
    }
}
