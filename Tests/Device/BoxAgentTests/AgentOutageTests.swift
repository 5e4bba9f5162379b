import FoundationEssentials
import Glibc
import HTTPClient
import RealPrograms
import TestSupport
import Testing

@Suite("latchkey agent, when something ends or fails,", .serialized, .timeLimit(.minutes(5)))
struct AgentOutageTests {
    @Test("killed at any moment, comes back with the same sign-in, permissions and code")
    func killed() async throws {
        let rounds = ProcessInfo.processInfo.environment["LATCHKEY_AGENT_KILLS"].flatMap { Int($0) } ?? 20
        let service = try ScriptedService()
        let folder = try RunningAgent.folder(service.url)
        var agent = try RunningAgent(folder)
        try await agent.isReady()
        try await agent.signIn(service)
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

    @Test func `says that the server is gone, and is back when the server is, without being asked`() async throws {
        let service = try ScriptedService()
        service.answer("/", with: .response(503), times: 3)
        let agent = try RunningAgent(try RunningAgent.folder(service.url, requestors: ["NORTHSPORT"]))
        try await agent.isReady()
        _ = try await agent.event("reachable")
        #expect(try await agent.call(.get, "/v1/requestors/NORTHSPORT/providers").status == 200)
        #expect(await agent.stop() == .exited(0))
    }

    @Test(.signedIn)
    func `a server that fails in the middle costs the call, and neither the sign-in nor the next call`() async throws {
        let start = try await agent.start()
        let path = "/v1/requestors/NORTHSPORT/authorize"
        service.answer("/adobe-services/authorize", with: .response(500))
        let failed = try await agent.call(.post, path, "{\"resource\":\"A\"}")
        #expect(failed.status == 503 && failed.json["error"]?.text == "unreachable", "\(failed)")
        _ = try await agent.event("unreachable", after: start)
        _ = try await agent.event("reachable", after: start)
        #expect(try await agent.call(.get, "/v1/requestors/NORTHSPORT").json["state"]?.text == "signed_in")
        #expect(try await agent.call(.post, path, "{\"resource\":\"A\"}").status == 200)
    }

    @Test(.agent(["NORTHSPORT"]), arguments: [true, false])
    func `signs in with a provider that the server's operator has added since`(isBeforePairing: Bool) async throws {
        let add: @Sendable (inout ScriptedService.Behaviour) -> Void = {
            $0.providers.append(ScriptedProvider("RiverNet", name: "River Net"))
        }
        #expect(try await agent.call(.get, "/v1/requestors/NORTHSPORT/providers").status == 200)
        if isBeforePairing { service.set(add) }
        try #require(try await agent.call(.post, RunningAgent.pairing, "{}").status == 201)
        if !isBeforePairing { service.set(add) }
        while await service.asked.next()?.hasSuffix("/session") != true {}
        service.confirm(provider: "RiverNet")
        #expect(try await agent.event("approved")["mvpdName"]?.text == "River Net")
        let path = "/v1/requestors/NORTHSPORT/authorize"
        #expect(try await agent.call(.post, path, "{\"resource\":\"A\"}").status == 200)
        let providers = try await agent.call(.get, "/v1/requestors/NORTHSPORT/providers").json["providers"]?.list
        #expect(providers?.last?["id"]?.text == "RiverNet")
    }

    @Test("says that a provider is switched off, keeps its sign-in, and lets the viewer pair with another", .signedIn)
    func withdrawnProvider() async throws {
        // The reason of an earlier end is over, also where another program signed the viewer in.
        #expect(try await agent.call(.delete, "/v1/requestors/NORTHSPORT/sign-in").status == 204)
        let files = ["--config", agent.folder.file("latchkey.json5"), "--state", agent.folder.file("state/state.json")]
        let pair = try ChildProcess(ProgramFolder.own.box, ["pair", "--json"] + files)
        for await line in pair.outputLines where line.contains("code_issued") { service.confirm() }
        #expect(await pair.waitForEnd() == .exited(0))
        let start = try await agent.start()
        for isOff in [true, false, true] {
            service.set { $0.providers = [.init(isOff ? "SatOne" : "CableNova")] }
            let body = "<error><code>N000</code></error>"
            if isOff { service.answer("/adobe-services/", with: .response(401, body: body)) }
            let answer = try await agent.call(.post, "/v1/requestors/NORTHSPORT/authorize", "{\"resource\":\"A\"}")
            #expect(answer.json["error"]?.text == (isOff ? "not_signed_in" : nil), "\(answer)")
        }
        let standing = try await agent.call(.get, "/v1/requestors/NORTHSPORT").json
        #expect(standing["state"]?.text == "signed_out" && standing["reason"]?.text == "ended_by_operator")
        let news = try await agent.call(.get, "/v1/events?after=\(start)").json["events"]?.list ?? []
        #expect(news.compactMap { $0["event"]?.text } == ["authorized"])
        #expect(try await agent.call(.post, RunningAgent.pairing, "{}").status == 201)
    }

    @Test(
        "a provider that gives no decision costs the call, in its own words, and not the way to the server",
        .signedIn)
    func providerFault() async throws {
        let start = try await agent.start()
        service.set {
            $0.permitted = []
            $0.refusal = (code: "Z120", details: "Back at noon.")
        }
        let path = "/v1/requestors/NORTHSPORT/authorize"
        let failed = try await agent.call(.post, path, "{\"resource\":\"A\"}")
        #expect(failed.status == 503 && failed.json["providerMessage"]?.text == "Back at noon.", "\(failed)")
        #expect(failed.json["message"]?.text == "The TV provider gives no decision now.")
        #expect(try await agent.call(.get, "/v1/events?after=\(start)").json["events"]?.list.isEmpty == true)
    }

    @Test("asks the server whether the sign-in stands before it refuses a pairing for it", .signedIn)
    func pairingAfterTheEnd() async throws {
        #expect(try await agent.call(.post, RunningAgent.pairing).json["error"]?.text == "already_signed_in")
        service.answer("/adobe-services/usermetadata", with: .response(200, body: "<pendingLogout/>"))
        #expect(try await agent.call(.post, RunningAgent.pairing).status == 201)
        _ = try await agent.event("signed_out")
    }

    @Test(.signedIn) func `sees that another program of the box signed the viewer out, and says so`() async throws {
        let words = ["logout", "--requestor", "NORTHSPORT", "--config", agent.folder.file("latchkey.json5")]
        let (end, _, talk) = try await ChildProcess(
            ProgramFolder.own.box, words + ["--state", agent.folder.file("state/state.json")]
        ).run()
        #expect(end == .exited(0), "\(talk)")
        let standing = try await agent.call(.get, "/v1/requestors/NORTHSPORT").json
        #expect(standing["state"]?.text == "signed_out" && standing["reason"]?.text == "signed_out")
        #expect(try await agent.event("signed_out")["reason"]?.text == "signed_out")
    }

    @Test(
        "says why a sign-in is gone, as the server does", .signedIn,
        arguments: [nil, "ended_by_operator", "refused_by_provider", "signed_out"], ["authorize", "preauthorize"])
    func ended(_ ending: String?, call: String) async throws {
        let reason = ending ?? "ended_by_operator"
        service.revoke(ending: ending)
        let body = call == "authorize" ? "{\"resource\":\"A\"}" : "{\"resources\":[\"A\"]}"
        let refused = try await agent.call(.post, "/v1/requestors/NORTHSPORT/\(call)", body)
        #expect(refused.status == 409 && refused.json["error"]?.text == "not_signed_in", "\(refused)")
        #expect(try await agent.event("signed_out")["reason"]?.text == reason)
        let standing = try await agent.call(.get, "/v1/requestors/NORTHSPORT").json
        #expect(standing["state"]?.text == "signed_out" && standing["reason"]?.text == reason)
    }

    @Test func `without a network serves what it knows, and tells callers when to come again`() async throws {
        let url = try "http://127.0.0.1:\(FreePort.find())"
        let folder = try RunningAgent.folder(url, more: "requestor: 'SOUTHSPORT', agent: { account: 'SOUTHSPORT' },")
        // A folder in its place is read as little as a file of another user.
        try folder.write("", to: "state/requestors/SOUTHSPORT.json/file")
        let agent = try RunningAgent(folder)
        try await agent.isReady()
        let pairing = try await agent.call(.post, RunningAgent.pairing)
        #expect(pairing.status == 503 && pairing.json["error"]?.text == "unreachable", "\(pairing)")
        let box = try await agent.call(.get, "/v1/status").json
        let faults = box["requestors"]?.list.map { $0["storeFault"]?.text?.contains("SOUTHSPORT.json") }
        #expect(faults == [true, nil] && box["deviceId"]?.text?.count == 64)
        let shown = try await ChildProcess(ProgramFolder.own.box, ["account", "show", "--socket", agent.socket]).run()
        #expect(shown.end == .exited(74) && shown.talk.contains("SOUTHSPORT.json"), "\(shown)")
        _ = try await agent.event("unreachable")
        #expect(try await agent.call(.delete, "/v1/requestors/NORTHSPORT/sign-in").status == 204)
        #expect(await agent.stop() == .exited(0))
    }

    @Test func `that starts again while a viewer waits for a code ends no pairing`() async throws {
        let service = try ScriptedService()
        let folder = try RunningAgent.folder("http://127.0.0.1:1")
        var agent = try RunningAgent(folder)
        try await agent.isReady()
        let group = "agent: {socket: '\(agent.socket)'}, requestors: {NORTHSPORT: {softwareStatement: 'a.b.c'}}"
        let file = try folder.write("{server: '\(service.url)', \(group)}", to: "latchkey.json5")
        let pair = try ChildProcess(ProgramFolder.own.box, ["pair", "--json", "--config", file])
        for await line in pair.outputLines {
            if line.contains("cannot be reached") { #expect(await agent.stop() == .exited(0)) }
            if line.contains("does not answer on") { agent = try RunningAgent(folder) }
            if line.contains("code_issued") { service.confirm() }
        }
        #expect(await pair.waitForEnd() == .exited(0))
    }

    @Test("a box whose clock is in 1970, or far ahead, until it is set keeps its sign-in and pairs")
    func clock() async throws {
        let service = try ScriptedService { $0.date = "Fri, 15 Jan 2027 08:00:00 GMT" }
        let folder = try RunningAgent.folder(service.url, more: "agent: { account: 'NORTHSPORT' },")
        let clock = try ServerClock(file: folder.file("clock"))
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        let first = try RunningAgent(folder, environment: clock.environment)
        try await first.isReady()
        try await first.signIn(service)
        #expect(await first.stop() == .exited(0))
        for offset in [3_600_000 - now, Int64(20 * 365) * 86_400_000] {
            try clock.set(aheadBy: offset)
            service.answer("/api/v1/config/NORTHSPORT", with: .response(503, headers: ["Retry-After": "3600"]))
            let agent = try RunningAgent(folder, environment: clock.environment)
            try await agent.isReady()
            // The account waits for the server's clock. The first contact fails, and only a call makes the next.
            _ = try await agent.event("unreachable", of: "NORTHSPORT")
            try await eventually("the account") {
                let account = try await agent.call(.get, "/v1/account").json
                #expect(account["state"]?.text != "signed_out")
                return account["provider"]?.text == "CableNova" ? () : nil
            }
            let south = "/v1/requestors/SOUTHSPORT/pairing"
            #expect(try await agent.call(.post, south).status == 201)
            try clock.set(aheadBy: 0)
            #expect(try await agent.call(.get, "/v1/requestors/NORTHSPORT").json["state"]?.text == "signed_in")
            #expect(try await agent.call(.delete, south).status == 204)
            #expect(await agent.stop() == .exited(0))
        }
    }
}
