import FoundationEssentials
import Glibc
import HTTPClient
import RealPrograms
import Synchronization
import TestSupport
import Testing

@testable import BoxAgent

@Suite("latchkey agent", .serialized, .timeLimit(.minutes(5)))
struct AgentTests {
    /// Lends a running agent and the service it talks to.
    private func with(
        _ requestors: [String] = ["NORTHSPORT", "SOUTHSPORT"],
        _ body: (RunningAgent, ScriptedService) async throws -> Void
    ) async throws {
        let service = try ScriptedService()
        let agent = try RunningAgent(try RunningAgent.folder(service.url, requestors: requestors))
        try await agent.isReady()
        try await body(agent, service)
        #expect(await agent.stop() == .exited(0))
    }

    private static let pairing = "/v1/requestors/NORTHSPORT/pairing"

    private func signIn(_ agent: RunningAgent, _ service: ScriptedService) async throws {
        let start = try await agent.start()
        let begun = try await agent.call(.post, Self.pairing, "{}")
        try #require(begun.status == 201, "\(begun.json)")
        while await service.asked.next()?.hasSuffix("/session") != true {}
        service.confirm()
        let approved = try await agent.event("approved", after: start)
        #expect(approved["requestor"]?.text == "NORTHSPORT" && approved["mvpd"]?.text == "CableNova")
    }

    @Test("says that no TV provider can be used, in place of a code that leads nowhere")
    func noProvider() async throws {
        let service = try ScriptedService()
        service.set { $0.providers = [] }
        let agent = try RunningAgent(try RunningAgent.folder(service.url, requestors: ["NORTHSPORT"]))
        try await agent.isReady()
        let refused = try await agent.call(.post, Self.pairing)
        #expect(refused.status == 409 && refused.json["error"]?.text == "conflict")
        #expect(refused.json["message"]?.text?.contains("no TV provider") == true, "\(refused.json)")
        // A terminal that closes does not end it.
        agent.process.send(SIGHUP)
        #expect(await agent.stop() == .exited(0))
    }

    @Test("pairs once for all that ask, gives tokens, and signs one requestor out alone")
    func wholeWay() async throws {
        try await self.with { agent, service in
            let signedOut = try await agent.call(.get, "/v1/requestors/NORTHSPORT").json
            #expect(signedOut["state"]?.text == "signed_out" && signedOut["reason"]?.text == "never")
            #expect(try await agent.call(.get, Self.pairing).status == 404)
            #expect(
                try await agent.call(.post, "/v1/requestors/NORTHSPORT/authorize", "{\"resource\":\"A\"}").status == 409
            )

            let start = try await agent.start()
            async let one = agent.call(.post, Self.pairing, "{}")
            async let other = agent.call(.post, Self.pairing)
            let both = try await [one, other]
            #expect(Set(both.map(\.status)) == [200, 201])
            #expect(both[0].json["code"] == both[1].json["code"])
            let shown = both[0].json
            #expect(shown["displayCode"]?.text?.filter { $0 != "-" } == shown["code"]?.text)
            #expect(shown["opened"]?.bool == false)
            #expect(shown["qr"]?.text?.hasPrefix("data:image/png;base64,") == true)
            #expect(service.calls.count { $0.hasSuffix("/regcode") } == 1)
            #expect(try await agent.call(.get, "/v1/requestors/NORTHSPORT").json["state"]?.text == "pairing")
            #expect(try await agent.event("code_issued", after: start)["code"] == shown["code"])
            while await service.asked.next()?.hasSuffix("/session") != true {}
            service.confirm()
            #expect(try await agent.event("approved", after: start)["mvpd"]?.text == "CableNova")

            let status = try await agent.call(.get, "/v1/status").json
            #expect(status["version"]?.number == 1 && status["requestors"]?.list.count == 2)
            let here = try #require(status["requestors"]?.list.first)
            #expect(here["state"]?.text == "signed_in" && here["mvpdName"]?.text == "Cable Nova")
            #expect(try await agent.call(.post, Self.pairing).json["error"]?.text == "already_signed_in")

            let token = try await agent.call(.post, "/v1/requestors/NORTHSPORT/authorize", "{\"resource\":\"A\"}")
            #expect(token.status == 200 && token.json["token"]?.text?.isEmpty == false, "\(token)")
            let authorized = try await agent.event("authorized", after: start)
            #expect(authorized["resource"]?.text == "A" && authorized["token"] == nil)
            service.set { $0.permitted = [] }
            let denied = try await agent.call(.post, "/v1/requestors/NORTHSPORT/authorize", "{\"resource\":\"B\"}")
            #expect(denied.status == 422 && denied.json["error"]?.text == "not_authorized")
            #expect(denied.json["providerMessage"]?.text == "Your package lacks this channel.")

            #expect(try await agent.call(.delete, "/v1/requestors/NORTHSPORT/sign-in").status == 204)
            #expect(try await agent.event("signed_out", after: start)["reason"]?.text == "signed_out")
            let gone = try await agent.call(.get, "/v1/requestors/NORTHSPORT").json
            #expect(gone["state"]?.text == "signed_out" && gone["reason"]?.text == "signed_out")
        }
    }

    @Test("cancels a pairing for good, and begins the next with another code")
    func cancel() async throws {
        try await self.with { agent, service in
            let start = try await agent.start()
            #expect(try await agent.call(.delete, Self.pairing).status == 204)
            #expect(try await agent.call(.post, Self.pairing).status == 201)
            #expect(try await agent.call(.delete, Self.pairing).status == 204)
            _ = try await agent.event("cancelled", after: start)
            #expect(try await agent.call(.get, Self.pairing).status == 404)
            #expect(service.calls.contains { $0.hasPrefix("DELETE ") })
            #expect(try await agent.call(.post, Self.pairing).status == 201)
            #expect(service.calls.count { $0.hasSuffix("/regcode") } == 2)
        }
    }

    @Test("leaves the asking to another program that pairs the same requestor, and takes it over when that ends")
    func onePoller() async throws {
        try await self.with { agent, service in
            let state = agent.folder.file("state/requestors/NORTHSPORT.json")
            let other = Mutex(PairingTurn(beside: state))
            #expect(other.withLock { $0 != nil })
            async let begun = agent.call(.post, Self.pairing)
            try await eventually("a pairing") {
                try await agent.call(.get, "/v1/requestors/NORTHSPORT").json["state"]?.text == "pairing" ? () : nil
            }
            #expect(!service.calls.contains { $0.hasSuffix("/regcode") })
            other.withLock { $0 = nil }
            #expect(try await begun.status == 201)
            #expect(service.calls.count { $0.hasSuffix("/regcode") } == 1)
        }
    }

    @Test("says what is wrong with a request, and serves the next")
    func badRequests() async throws {
        try await self.with { agent, _ in
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
                (.post, Self.pairing, "{\"mvpd\":7}", 400, "bad_request"),
                (.post, Self.pairing, "{\"mvpd\":\"Nowhere\"}", 400, "bad_request"),
                (.get, "/v1/requestors/NORTHSPORT/metadata", nil, 400, "bad_request"),
                (.get, "/v1/events?after=x", nil, 400, "bad_request"),
                (.get, "/v1/events?after=1&wait=56", nil, 400, "bad_request"),
                (.get, "/v1/events?after=1&after=2", nil, 400, "bad_request"),
                (.put, "/v1/permissions/kodi", "{\"permission\":\"granted\"}", 400, "bad_request"),
                (.put, "/v1/permissions/user:kodi", "{\"permission\":\"yes\"}", 400, "bad_request"),
            ]
            for (method, path, body, status, code) in cases {
                let answer = try await agent.call(method, path, body)
                #expect(
                    answer.status == status && answer.json["error"]?.text == code, "\(path) \(body ?? ""): \(answer)")
                #expect(answer.json["message"]?.text?.isEmpty == false)
            }
            #expect(try await agent.call(.get, "/v1/status").status == 200)
        }
    }

    @Test("knows callers by the kernel's word, and lets each do what it was permitted", .enabled(if: geteuid() == 0))
    func permissionMatrix() async throws {
        try await self.with { agent, service in
            try await self.signIn(agent, service)
            let kodi = 12_345
            let other = 12_346
            let own = try await agent.call(as: kodi, "GET", "/v1/permission").json
            #expect(own["application"]?.text == "user:12345" && own["permission"]?.text == "undetermined")
            let start = try await agent.start()
            #expect(try await agent.call(as: kodi, "POST", "/v1/permission").status == 202)
            #expect(try await agent.event("permission_asked", after: start)["application"]?.text == "user:12345")

            let calls = [
                ("GET", "/v1/status"), ("GET", "/v1/requestors/NORTHSPORT"),
                ("GET", "/v1/requestors/NORTHSPORT/providers"),
                ("POST", Self.pairing), ("GET", Self.pairing), ("DELETE", Self.pairing), ("GET", "/v1/events?after=1"),
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
            // Deciding is for operators, whatever else one may do; and an event about asking is for them.
            #expect(try await agent.call(as: kodi, "GET", "/v1/permissions").status == 403)
            let change = "{\"permission\":\"granted\"}"
            #expect(try await agent.call(as: kodi, "PUT", "/v1/permissions/user:12346", change).status == 403)
            let events = try await agent.call(as: kodi, "GET", "/v1/events?after=1").json
            #expect(events["events"]?.list.contains { $0["event"]?.text == "permission_asked" } == false)
        }
    }

    @Test("tells units of one user apart", .enabled(if: ControlGroup.isAvailable))
    func units() async throws {
        try await self.with { agent, _ in
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
    }

    @Test("is asked by the commands of the box where the configuration names its socket")
    func commands() async throws {
        try await self.with { agent, service in
            try await self.signIn(agent, service)
            let file = try agent.folder.write(
                """
                { server: '\(service.url)', requestor: 'NORTHSPORT', softwareStatement: 'other.b.c', scope: 'other',
                  agent: { socket: '\(agent.socket)' } }
                """, to: "box.json5")
            func latchkey(_ words: String...) async throws -> (end: ChildProcess.End, output: String, talk: String) {
                try await ChildProcess(ProgramFolder.own.box, words + ["--config", file]).run()
            }
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
            service.set { $0.permitted = [] }
            let refused = try await latchkey("authorize", "B")
            #expect(refused.end == .exited(3) && refused.talk == "latchkey: Your package lacks this channel.\n")
            let start = try await agent.start()
            let gone = try await latchkey("logout")
            #expect(gone.end == .exited(0) && gone.talk == "Signed out.\n")
            #expect(try await agent.event("signed_out", after: start)["requestor"]?.text == "NORTHSPORT")
            #expect(try await latchkey("authorize", "A").end == .exited(2))
        }
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

        let next = try RunningAgent(folder)
        try await next.isReady()
        #expect(try await next.call(as: 12_345, "GET", "/v1/status").status == 200)
        #expect(try await latchkey("permission", "reset", "user:12345").end == .exited(0))
        #expect(try await next.call(as: 12_345, "GET", "/v1/status").status == 403)
        #expect(await next.stop() == .exited(0))
    }

    @Test("a second agent says that one runs, with an exit code of its own, and leaves the first alone")
    func second() async throws {
        try await self.with { agent, _ in
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
    }

    @Test("killed at any moment, comes back with the same sign-in, permissions and code")
    func killed() async throws {
        let rounds = ProcessInfo.processInfo.environment["LATCHKEY_AGENT_KILLS"].flatMap { Int($0) } ?? 20
        let service = try ScriptedService()
        let folder = try RunningAgent.folder(service.url)
        var agent = try RunningAgent(folder)
        try await agent.isReady()
        try await self.signIn(agent, service)
        let south = "/v1/requestors/SOUTHSPORT/pairing"
        let code = try #require(try await agent.call(.post, south).json["code"]?.text)
        var generator = SeededGenerator(seed: 11)
        for round in 0..<rounds {
            // In the middle of a write, of a start, or of nothing at all.
            let change = "{\"permission\":\"\(round.isMultiple(of: 2) ? "granted" : "denied")\"}"
            let running = agent
            async let write = try? running.call(.put, "/v1/permissions/user:kodi\(round % 7)", change)
            for _ in 0..<Int.random(in: 0..<4000, using: &generator) { await Task.yield() }
            running.process.send(SIGKILL)
            #expect(await running.process.waitForEnd() == .signalled(SIGKILL))
            _ = await write
            agent = try RunningAgent(folder)
            try await agent.isReady()
            #expect(try await agent.call(.get, "/v1/requestors/NORTHSPORT").json["state"]?.text == "signed_in")
            #expect(try await agent.call(.get, south).json["code"]?.text == code)
            #expect(try await agent.call(.get, "/v1/permissions").status == 200)
        }
        #expect(!FileManager.default.fileExists(atPath: folder.file("state/permissions.json.damaged")))
        #expect(service.calls.count { $0.hasSuffix("/regcode") } == 2)
        #expect(await agent.stop() == .exited(0))
    }

    @Test("says that the server is gone, and is back when the server is, without being asked")
    func outage() async throws {
        let service = try ScriptedService()
        service.answer("/", with: .response(503), times: 3)
        let agent = try RunningAgent(try RunningAgent.folder(service.url, requestors: ["NORTHSPORT"]))
        try await agent.isReady()
        _ = try await agent.event("reachable", after: 1)
        #expect(try await agent.call(.get, "/v1/requestors/NORTHSPORT/providers").status == 200)
        #expect(await agent.stop() == .exited(0))
    }

    @Test("a server that fails in the middle costs the call, and neither the sign-in nor the next call")
    func failureInTheMiddle() async throws {
        try await self.with(["NORTHSPORT"]) { agent, service in
            try await self.signIn(agent, service)
            let start = try await agent.start()
            let path = "/v1/requestors/NORTHSPORT/authorize"
            service.answer("/adobe-services/authorize", with: .response(500))
            let failed = try await agent.call(.post, path, "{\"resource\":\"A\"}")
            #expect(failed.status == 503 && failed.json["error"]?.text == "unreachable", "\(failed)")
            _ = try await agent.event("unreachable", after: start)
            _ = try await agent.event("reachable", after: start)
            #expect(try await agent.call(.get, "/v1/requestors/NORTHSPORT").json["state"]?.text == "signed_in")
            let token = try await agent.call(.post, path, "{\"resource\":\"A\"}")
            #expect(token.status == 200, "\(token)")
        }
    }

    @Test("signs in with a provider that the server's operator has added since", arguments: [true, false])
    func newProvider(isBeforePairing: Bool) async throws {
        try await self.with(["NORTHSPORT"]) { agent, service in
            let add: @Sendable (inout ScriptedService.Behaviour) -> Void = {
                $0.providers.append(ScriptedProvider("RiverNet", name: "River Net"))
            }
            #expect(try await agent.call(.get, "/v1/requestors/NORTHSPORT/providers").status == 200)
            let start = try await agent.start()
            if isBeforePairing { service.set(add) }
            try #require(try await agent.call(.post, Self.pairing, "{}").status == 201)
            if !isBeforePairing { service.set(add) }
            while await service.asked.next()?.hasSuffix("/session") != true {}
            service.confirm(provider: "RiverNet")
            #expect(try await agent.event("approved", after: start)["mvpdName"]?.text == "River Net")
            let token = try await agent.call(.post, "/v1/requestors/NORTHSPORT/authorize", "{\"resource\":\"A\"}")
            #expect(token.status == 200, "\(token)")
            let providers = try await agent.call(.get, "/v1/requestors/NORTHSPORT/providers").json["providers"]?.list
            #expect(providers?.last?["id"]?.text == "RiverNet")
        }
    }

    @Test("says that a provider is no longer offered, and lets the viewer pair with another")
    func withdrawnProvider() async throws {
        try await self.with(["NORTHSPORT"]) { agent, service in
            try await self.signIn(agent, service)
            service.set { $0.providers.removeFirst() }
            #expect(try await agent.call(.get, "/v1/requestors/NORTHSPORT/providers").status == 200)
            let standing = try await agent.call(.get, "/v1/requestors/NORTHSPORT").json
            #expect(standing["state"]?.text == "signed_out" && standing["reason"]?.text == "ended_by_operator")
            let refused = try await agent.call(.post, "/v1/requestors/NORTHSPORT/authorize", "{\"resource\":\"A\"}")
            #expect(refused.json["error"]?.text == "not_signed_in")
            #expect(try await agent.call(.post, Self.pairing, "{}").status == 201)
        }
    }

    @Test("a provider that gives no decision costs the call, in its own words, and not the way to the server")
    func providerFault() async throws {
        try await self.with(["NORTHSPORT"]) { agent, service in
            try await self.signIn(agent, service)
            let start = try await agent.start()
            service.set {
                $0.permitted = []
                $0.refusal = (code: "Z120", details: "Back at noon.")
            }
            let path = "/v1/requestors/NORTHSPORT/authorize"
            let failed = try await agent.call(.post, path, "{\"resource\":\"A\"}")
            #expect(failed.status == 503 && failed.json["providerMessage"]?.text == "Back at noon.", "\(failed)")
            #expect(failed.json["message"]?.text == "The TV provider gives no decision now.")
            let news = try await agent.call(.get, "/v1/events?after=\(start)").json["events"]?.list
            #expect(news?.isEmpty == true, "\(String(describing: news))")
        }
    }

    @Test("says that a sign-in is gone that a question about locks finds out")
    func endFoundByPreauthorization() async throws {
        try await self.with(["NORTHSPORT"]) { agent, service in
            try await self.signIn(agent, service)
            let start = try await agent.start()
            service.revoke(ending: "refused_by_provider")
            let path = "/v1/requestors/NORTHSPORT/preauthorize"
            #expect(try await agent.call(.post, path, "{\"resources\":[\"A\"]}").status == 409)
            #expect(try await agent.event("signed_out", after: start)["reason"]?.text == "refused_by_provider")
        }
    }

    @Test("sees that another program of the box signed the viewer out, and says so")
    func signedOutBeside() async throws {
        try await self.with(["NORTHSPORT"]) { agent, service in
            try await self.signIn(agent, service)
            let start = try await agent.start()
            let words = ["logout", "--requestor", "NORTHSPORT", "--config", agent.folder.file("latchkey.json5")]
            let (end, _, talk) = try await ChildProcess(
                ProgramFolder.own.box, words + ["--state", agent.folder.file("state/state.json")]
            ).run()
            #expect(end == .exited(0), "\(talk)")
            let standing = try await agent.call(.get, "/v1/requestors/NORTHSPORT").json
            #expect(standing["state"]?.text == "signed_out" && standing["reason"]?.text == "signed_out")
            #expect(try await agent.event("signed_out", after: start)["reason"]?.text == "signed_out")
        }
    }

    @Test("lists the viewer's boxes, and signs another one out")
    func boxes() async throws {
        try await self.with(["NORTHSPORT"]) { agent, service in
            let path = "/v1/requestors/NORTHSPORT/boxes"
            #expect(try await agent.call(.get, path).status == 409)
            try await self.signIn(agent, service)
            let start = try await agent.start()
            let list = try await agent.call(.get, path)
            #expect(list.status == 200 && list.json["more"]?.bool == false, "\(list)")
            let boxes = try #require(list.json["boxes"]?.list)
            #expect(boxes.map { $0["this"]?.bool } == [true, false, false] && boxes[1]["name"]?.text == "Attic")
            #expect(boxes.map { $0["seen"]?.number } == [nil, 1_767_312_000_000, nil])
            #expect(try await agent.call(.delete, "\(path)/ffee1122-33445566").status == 204)
            #expect(try await agent.event("box_signed_out", after: start)["name"]?.text == "Attic")
            #expect(try await agent.call(.delete, "\(path)/0000000000000000").json["error"]?.text == "not_found")
            #expect(try await agent.call(.delete, "\(path)/00112233-445566aa").json["error"]?.text == "conflict")
            #expect(try await agent.call(.get, "\(path)?x=1").status == 400)
            service.answer(
                "/adobe-services/boxes",
                with: .response(
                    200, headers: ["Latchkey-Sign-In-Ending": "signed_out_elsewhere"], body: "<pendingLogout/>"))
            #expect(try await agent.call(.get, path).json["error"]?.text == "not_signed_in")
            #expect(try await agent.event("signed_out", after: start)["reason"]?.text == "signed_out_elsewhere")
        }
    }

    @Test(
        "says why a sign-in is gone, as the server does",
        arguments: [
            nil, "ended_by_operator", "refused_by_provider", "signed_out",
        ])
    func ended(_ ending: String?) async throws {
        let reason = ending ?? "ended_by_operator"
        try await self.with(["NORTHSPORT"]) { agent, service in
            try await self.signIn(agent, service)
            let start = try await agent.start()
            service.revoke(ending: ending)
            let refused = try await agent.call(.post, "/v1/requestors/NORTHSPORT/authorize", "{\"resource\":\"A\"}")
            #expect(refused.status == 409 && refused.json["error"]?.text == "not_signed_in", "\(refused)")
            #expect(try await agent.event("signed_out", after: start)["reason"]?.text == reason)
            let standing = try await agent.call(.get, "/v1/requestors/NORTHSPORT").json
            #expect(standing["state"]?.text == "signed_out" && standing["reason"]?.text == reason)
        }
    }

    @Test("without a network serves what it knows, and tells callers when to come again")
    func offline() async throws {
        let port = try FreePort.find()
        let agent = try RunningAgent(try RunningAgent.folder("http://127.0.0.1:\(port)", requestors: ["NORTHSPORT"]))
        try await agent.isReady()
        let pairing = try await agent.call(.post, Self.pairing)
        #expect(pairing.status == 503 && pairing.json["error"]?.text == "unreachable", "\(pairing)")
        #expect(try await agent.call(.get, "/v1/status").status == 200)
        _ = try await agent.event("unreachable", after: 1)
        #expect(try await agent.call(.delete, "/v1/requestors/NORTHSPORT/sign-in").status == 204)
        #expect(await agent.stop() == .exited(0))
    }

    @Test("a box whose clock is in 1970, or far ahead, until it is set keeps its sign-in and pairs")
    func clock() async throws {
        let service = try ScriptedService { $0.date = "Fri, 15 Jan 2027 08:00:00 GMT" }
        let folder = try RunningAgent.folder(service.url)
        let clock = try ServerClock(file: folder.file("clock"))
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        var agent = try RunningAgent(folder, environment: clock.environment)
        try await agent.isReady()
        try await self.signIn(agent, service)
        for offset in [3_600_000 - now, Int64(20 * 365) * 86_400_000] {
            #expect(await agent.stop() == .exited(0))
            try clock.set(aheadBy: offset)
            agent = try RunningAgent(folder, environment: clock.environment)
            try await agent.isReady()
            // The server's clock is known from the first contact on.
            #expect(try await agent.call(.get, "/v1/requestors/NORTHSPORT/providers").status == 200)
            #expect(try await agent.call(.get, "/v1/requestors/NORTHSPORT").json["state"]?.text == "signed_in")
            let south = "/v1/requestors/SOUTHSPORT/pairing"
            #expect(try await agent.call(.post, south).status == 201)
            try clock.set(aheadBy: 0)
            #expect(try await agent.call(.get, "/v1/requestors/NORTHSPORT").json["state"]?.text == "signed_in")
            #expect(try await agent.call(.delete, south).status == 204)
        }
        #expect(await agent.stop() == .exited(0))
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

    @Test("tells systemd that it is ready, once callers can connect")
    func notify() async throws {
        let service = try ScriptedService()
        let folder = try RunningAgent.folder(service.url)
        let socket = try DatagramSocket(folder.file("notify.sock"))
        let agent = try RunningAgent(folder, environment: ["NOTIFY_SOCKET": folder.file("notify.sock")])
        #expect(await socket.receive() == "READY=1")
        #expect(try await agent.call(.get, "/v1/status").status == 200)
        #expect(await agent.stop() == .exited(0))
    }
}
