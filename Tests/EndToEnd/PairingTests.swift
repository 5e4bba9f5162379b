import FoundationEssentials
import RealPrograms
import TestSupport
import Testing

@Suite("The real box program and the real server", .pair, .serialized, .timeLimit(.minutes(5)))
struct PairingTests {
    @Test func `A box is signed in, gets a media token that verifies, and signs out again`() async throws {
        #expect(try await pair.box("status").end == .exited(2), "nobody is signed in yet")
        try await pair.signIn()
        #expect(try await pair.box("status").end == .exited(0))
        let allowed = try await pair.box("authorize", DemoFolder.channel)
        #expect(allowed.end == .exited(0))
        try await pair.verify(allowed.events.last?["token"])
        #expect(try await pair.box("logout").end == .exited(0))
        #expect(try await pair.box("status").end == .exited(2))
        #expect(try await pair.box("authorize", DemoFolder.channel).end == .exited(2))
    }

    @Test func `A box that is told no page shows the server's, as address and QR code`() async throws {
        try pair.demo.configureBox { $0["activationURL"] = nil }
        let box = try pair.startPairing()
        let code = try await box.code()
        #expect(code.url == "\(pair.server.url)/activate?code=\(code.text)")
        try await pair.decide(.confirm, on: code)
        try await box.end(with: 0)
    }

    @Test("A box knows that an operator ended its sign-in, and signing in again keeps its identity")
    func endedByOperator() async throws {
        try await pair.signIn()
        let before = try await pair.box("status")
        let device = try #require(before.events.last?["deviceId"]?.text)
        let ended = try await ChildProcess(
            ProgramFolder.own.server,
            ["boxes", "sign-out", "--device", device, "--config", pair.demo.serverConfiguration]
        ).run()
        #expect(ended.end == .exited(0), "\(ended.talk)")
        // A running server hears of another program's change within a second.
        let after = try await eventually("a box that is signed out") {
            let status = try await pair.box("status")
            return status.end == .exited(0) ? nil : status
        }
        #expect(after.end == .exited(2) && after.talk == "")
        #expect(after.events.last?["state"] == "signed_out")
        #expect(after.events.last?["reason"] == "ended_by_operator")
        try await pair.signIn()
        let again = try await pair.box("status")
        #expect(again.end == .exited(0) && again.events.last?["deviceId"]?.text == device)
        #expect(try await pair.box("logout").end == .exited(0))
        #expect(try await pair.box("status").events.last?["reason"] == "signed_out")
    }

    @Test func `A new box is set up with a code that its operator was shown, once`() async throws {
        let issue = ["keys", "issue", "--setup-code", "--requestor", DemoFolder.strictRequestor, "--json"]
        let issued = try await ChildProcess(
            ProgramFolder.own.server, issue + ["--config", pair.demo.serverConfiguration]
        ).run()
        let code = try #require(try JSON(parsing: issued.output)["code"]?.text, "\(issued.talk)")
        func initialise(_ name: String) async throws -> ChildProcess.End {
            try await ChildProcess(
                ProgramFolder.own.box,
                [
                    "init", "--server", pair.server.url, "--code", code, "--config",
                    pair.folder.file("\(name).json5"),
                ]
            ).run().end
        }
        // Two boxes at once: one of them has it.
        async let first = initialise("first")
        async let second = initialise("second")
        let ends = try await ["first": first, "second": second]
        let winner = try #require(ends.first { $0.value == .exited(0) }?.key)
        #expect(ends.values.filter { $0 == .exited(77) }.count == 1, "\(ends)")
        let status = try await ChildProcess(
            ProgramFolder.own.box,
            ["status", "--config", pair.folder.file("\(winner).json5"), "--state", pair.folder.file("new.json")]
        ).run()
        #expect(status.end == .exited(2) && status.output.contains("Nobody is signed in"), "\(status)")
        #expect(try await initialise("third") == .exited(77))
    }

    @Test func `A viewer sees both boxes on either, and signs one out from the other`() async throws {
        try pair.demo.configureBox { $0["deviceName"] = "Attic" }
        try await pair.signIn()
        // Another box: its own state and its own identity.
        let second = Pair(folder: pair.folder, demo: pair.demo, server: pair.server, boxState: "second.json")
        func use(_ scope: String) throws {
            try pair.demo.configureBox {
                $0["scope"] = .text(scope)
                $0["deviceName"] = .text(scope)
            }
        }
        try use("Guest room")
        try await second.signIn()
        let list = try await second.box("boxes")
        let boxes = try #require(list.events.last?["boxes"]?.list)
        #expect(boxes.map { $0["name"]?.text } == ["Guest room", "Attic"], "\(list)")
        #expect(boxes.map { $0["this"]?.bool } == [true, false])
        let ended = try await second.box("boxes", "sign-out", "Attic", "--yes")
        #expect(ended.end == .exited(0) && ended.events.last?["event"] == "box_signed_out", "\(ended)")
        #expect(try await second.box("boxes").events.last?["boxes"]?.list.count == 1)
        try pair.demo.configureBox { $0["scope"] = nil }
        let after = try await pair.box("status")
        #expect(after.end == .exited(2) && after.events.last?["reason"] == "signed_out_elsewhere", "\(after)")
        let audit = try await ChildProcess(
            ProgramFolder.own.server, ["audit", "--config", pair.demo.serverConfiguration]
        ).run()
        #expect(audit.output.contains("box.sign-out") && audit.output.contains("viewer "), "\(audit)")
    }

    @Test("A box knows that the provider refused its viewer, and one code signs the same box in again")
    func refusedByProvider() async throws {
        func status() async throws -> JSON { try #require(try await pair.box("status").events.last) }
        func server(_ words: String...) async throws {
            let words = words + ["--config", pair.demo.serverConfiguration]
            let (end, _, talk) = try await ChildProcess(ProgramFolder.own.server, words).run()
            try #require(end == .exited(0), "\(talk)")
        }
        try await pair.signIn()
        let device = try #require(try await status()["deviceId"]?.text)
        // An account that another program removed: the server learns of it from the next decision.
        let renaming = "UPDATE accounts SET id = 'another' || id"
        #expect(try await ChildProcess("sqlite3", [pair.demo.store, renaming]).run().end == .exited(0))
        let refused = try await pair.box("authorize", DemoFolder.deniedChannel)
        #expect(refused.end == .exited(2))
        #expect(refused.events.last?["reason"] == "refused_by_provider", "\(refused.events)")
        #expect(try await status()["reason"] == "refused_by_provider")
        try await pair.signIn()
        #expect(try await status()["deviceId"]?.text == device)
        // An account that is removed as it should be: the server learns of it from its store.
        try await server("user", "remove", pair.demo.viewer.account)
        let after = try await eventually("the end of the sign-in") {
            let after = try await status()
            return after["state"] == "signed_out" ? after : nil
        }
        #expect(after["reason"] == "refused_by_provider", "\(after)")
    }

    @Test("A channel outside the line-up is refused, and the box says so with an exit code of its own")
    func deniedChannel() async throws {
        try await pair.signIn()
        #expect(try await pair.box("authorize", DemoFolder.deniedChannel).end == .exited(3))
    }

    @Test func `A viewer who declines ends the wait`() async throws {
        let box = try pair.startPairing()
        try await pair.decide(.decline, on: try await box.code())
        try await box.end(with: 4)
        #expect(try await pair.box("status").end == .exited(2))
    }

    @Test func `A box that waits is held again by a server that was restarted and does not know it`() async throws {
        let box = try pair.startPairing()
        let code = try await box.code()
        try await pair.server.waitUntilHeld(1)
        await pair.server.stop()
        let again = try await RunningServer.start(pair.demo, .own)
        try await again.waitUntilHeld(1, within: .seconds(60))
        try await pair.decide(.confirm, on: code)
        try await box.end(with: 0)
        await again.stop()
    }

    @Test func `A code whose time is over ends the wait, and the next one is another`() async throws {
        let box = try pair.startPairing()
        let code = try await box.code()
        try await pair.server.waitUntilHeld(1)
        await pair.server.stop()
        try await pair.letHoursPass(2)
        let again = try await RunningServer.start(pair.demo, .own)
        try await box.end(with: 5)
        let next = try pair.startPairing()
        #expect(try await next.code() != code)
        await next.kill()
        await again.stop()
    }

    @Test("A box that is asked to stop says so with the signal's exit code, and keeps its code", arguments: [2, 15])
    func interrupted(signal: Int32) async throws {
        let first = try pair.startPairing()
        let code = try await first.code()
        try await pair.server.waitUntilHeld(1)
        first.send(signal)
        try await first.end(with: 128 + signal)
        let second = try pair.startPairing()
        #expect(try await second.code() == code)
        await second.kill()
    }

    @Test func `A box killed in the middle of its wait goes on with the same code`() async throws {
        let first = try pair.startPairing()
        let code = try await first.code()
        try await pair.server.waitUntilHeld(1)
        await first.kill()
        let second = try pair.startPairing()
        #expect(try await second.code() == code)
        try await pair.decide(.confirm, on: code)
        try await second.end(with: 0)
    }

    @Test func `A box that was off while the viewer confirmed is signed in as soon as it is back`() async throws {
        let first = try pair.startPairing()
        let code = try await first.code()
        await first.kill()
        try await pair.decide(.confirm, on: code)
        try await pair.startPairing().end(with: 0)
    }

    @Test("A box waits through the server's restart, and through its sudden end", arguments: [false, true])
    func restartedServer(isSudden: Bool) async throws {
        let box = try pair.startPairing()
        let code = try await box.code()
        try await pair.server.waitUntilHeld(1)
        if isSudden { await pair.server.kill() } else { await pair.server.stop() }
        let again = try await RunningServer.start(pair.demo, .own)
        try await pair.decide(.confirm, on: code)
        try await box.end(with: 0)
        await again.stop()
    }

    @Test func `A server that is not there has an exit code of its own`() async throws {
        await pair.server.stop()
        let status = try await pair.box("authorize", DemoFolder.channel)
        #expect(status.end == .exited(69) || status.end == .exited(2))
        #expect(try await pair.box("pair", "--no-wait").end == .exited(69))
    }

    @Test func `Every command speaks in events of the schema with a real server`() async throws {
        try await pair.signIn()
        for words in [
            ["status"], ["status", "--offline"], ["providers"], ["authorize", DemoFolder.channel],
            ["authorize", DemoFolder.deniedChannel],
            ["preauthorize", DemoFolder.channel, DemoFolder.deniedChannel],
            ["metadata", "userID"], ["metadata", "nothing"], ["doctor"], ["pair"], ["logout"], ["status"],
        ] {
            let arguments = words + ["--config", pair.demo.boxConfiguration, "--state", pair.boxState, "--json"]
            let run = try await ChildProcess(ProgramFolder.own.box, arguments).run()
            #expect(run.talk == "", "\(words)")
            #expect(try await EventSchema.faults(in: run.output) == "", "\(words)")
        }
    }

    @Test func `A damaged state file is kept aside, told, and started anew`() async throws {
        try pair.folder.write("{ this is no state", to: "box.json")
        let status = try await pair.box("status")
        #expect(status.end == .exited(2))
        let warning = status.events.first { $0["event"] == "warning" }
        #expect(warning?["message"]?.text?.contains("box.json") == true, "the file is named")
        let kept = try FileManager.default.contentsOfDirectory(atPath: pair.folder.path)
            .filter { $0.hasPrefix("box.json.") && !$0.hasSuffix(".lock") }
        #expect(kept.count == 1)
        #expect(try pair.folder.read(kept[0]) == "{ this is no state")
        try await pair.signIn()
    }
}
