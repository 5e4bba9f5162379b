import AccessEnabler
import Clientless
import TestSupport
import Testing

@testable import latchkey

/// Each line of `--json` is held to the schema by ``Latchkey/events(_:environment:)``.
@Suite("latchkey --json", .box, .timeLimit(.minutes(5)))
struct ContractTests {
    private func news(_ run: (end: ChildProcess.End, events: [BoxEvent])) -> BoxEvent.News? { run.events.last?.news }

    @Test func `tells who is signed in, with the device ID, as the server has it`() async throws {
        let nobody = try await box.events("status")
        guard case .status(let none) = self.news(nobody) else { throw Unexpected() }
        #expect(none.state == .signedOut && none.reason == .never && !none.isChecked && none.deviceID?.count == 64)
        #expect(nobody.end == .exited(2) && nobody.events.map(\.requestor) == ["NORTHSPORT"])
        try await box.signIn(service)
        let asked = service.count(of: "/adobe-services/usermetadata")
        guard case .status(let some) = self.news(try await box.events("status")) else { throw Unexpected() }
        #expect(some.state == .signedIn && some.signIn?.mvpdName == "Cable Nova" && some.deviceID == none.deviceID)
        service.set { $0.providers.removeFirst() }
        #expect(try await box.run("status", "--json").output.contains("\"checked\":false"), "no question was asked")
        #expect(service.count(of: "/adobe-services/usermetadata") == asked + 1)
    }

    @Test(.signedIn) func `tells what the box remembers without a server, when it is asked to`() async throws {
        let calls = service.calls.count
        let run = try await box.events("status", "--offline")
        guard case .status(let standing) = self.news(run) else { throw Unexpected() }
        #expect(run.end == .exited(0) && standing.state == .signedIn && !standing.isChecked)
        #expect(standing.signIn?.mvpd == "CableNova" && service.calls.count == calls)
    }

    @Test(
        "says why a sign-in is gone, as far as the server tells, until a viewer signs in again",
        arguments: [
            ("ended_by_operator", BoxEvent.Reason.endedByOperator, "an operator of the server ended the sign-in"),
            ("signed_out", .signedOut, "a viewer signed out"),
            ("replaced", .replaced, "a newer sign-in on this device replaced it"),
            ("signed_out_elsewhere", .signedOutElsewhere, "the viewer signed this box out from another device"),
            ("refused_by_provider", .refusedByProvider, "the provider ended the sign-in"),
        ])
    func reasons(word: String, reason: BoxEvent.Reason, sentence: String) async throws {
        try await box.signIn(service)
        service.answer(
            "/adobe-services/usermetadata",
            with: .response(200, headers: ["Latchkey-Sign-In-Ending": word], body: "<pendingLogout/>"))
        let run = try await box.events("status")
        guard case .status(let standing) = self.news(run) else { throw Unexpected() }
        #expect(run.end == .exited(2) && standing.state == .signedOut && standing.reason == reason)
        #expect(standing.isChecked, "the server said so")
        // Remembered: the server says it once.
        #expect(try await box.run("status").output.hasPrefix("Nobody is signed in: \(sentence).\n"))
        let refused = try await box.events("authorize", "r")
        guard case .error(let failure) = self.news(refused) else { throw Unexpected() }
        #expect(failure.code == "not_signed_in" && failure.reason == reason && failure.message.contains(sentence))
        try await box.signIn(service)
        #expect(try await box.run("logout").end == .exited(0))
        #expect(try await box.run("status").output.hasPrefix("Nobody is signed in: a viewer signed out.\n"))
    }

    @Test(.signedIn) func `does not guess why a sign-in is gone where the server says nothing`() async throws {
        service.revoke()
        let run = try await box.events("authorize", "r")
        guard case .error(let failure) = self.news(run) else { throw Unexpected() }
        #expect(run.end == .exited(2) && failure.code == "not_signed_in" && failure.reason == nil)
    }

    @Test func `lists providers, resources that may be played, and facts about the viewer`() async throws {
        service.set {
            $0.userMetadata = #"{"updated":1,"data":{"zip":"12345","household":{"size":3,"list":[1,true,"a"]}}}"#
            $0.permitted = ["Sport"]
        }
        let offered = [("CableNova", "Cable Nova"), ("SatOne", "Sat One")].map { BoxEvent.Provider(id: $0, name: $1) }
        #expect(self.news(try await box.events("providers")) == .providers(offered))
        #expect(try await box.run("providers").output == "CableNova  Cable Nova\nSatOne     Sat One\n")
        #expect(try await box.events("preauthorize", "Sport").end == .exited(2))
        #expect(try await box.events("metadata", "zip").end == .exited(2))

        try await box.signIn(service)
        #expect(try await box.events("preauthorize", "Sport").end == .exited(0))
        let some = try await box.events("preauthorize", "Sport", "Film")
        guard case .preauthorized(let decisions) = self.news(some) else { throw Unexpected() }
        #expect(some.end == .exited(3) && decisions.map(\.isAuthorized) == [true, false])
        #expect(decisions.map(\.resource) == ["Sport", "Film"] && decisions[1].message == "No")
        #expect(try await box.run("preauthorize", "Sport", "Film").output == "yes  Sport\nno   Film  (No)\n")

        #expect(self.news(try await box.events("metadata", "zip")) == .metadata(key: "zip", value: .string("12345")))
        #expect(try await box.run("metadata", "household").output == #"{"list":[1,true,"a"],"size":3}"# + "\n")
        let unknown = try await box.events("metadata", "colour")
        guard case .error(let failure) = self.news(unknown) else { throw Unexpected() }
        #expect(unknown.end == .exited(1) && failure.code == "not_found")
    }

    @Test(.signedIn) func `gives media tokens, tells refusals in the provider's words, and signs out`() async throws {
        guard case .mediaToken("Sport", let token, _) = self.news(try await box.events("authorize", "Sport"))
        else { throw Unexpected() }
        #expect(token.hasPrefix("PHNp"))
        service.set { $0.permitted = [] }
        let refused = try await box.events("authorize", "Film")
        guard case .error(let failure) = self.news(refused) else { throw Unexpected() }
        #expect(refused.end == .exited(3) && failure.exitCode == 3 && failure.code == "not_authorized")
        #expect(failure.resource == "Film" && failure.providerMessage == "Your package lacks this channel.")
        // As long as a signed request makes it.
        let page = "https://idp.example/logout?SAMLRequest=" + String(repeating: "a", count: 3000)
        service.set { $0.logoutURL = page }
        #expect(self.news(try await box.events("logout")) == .signedOut(.signedOut, logoutURL: page))
        #expect(self.news(try await box.events("logout")) == .signedOut(.signedOut))
    }

    @Test func `tells a pairing from the code to its end, and a second one that there is nothing to do`() async throws {
        service.setCodeState("declined")
        let declined = try await box.events("pair")
        #expect(declined.end == .exited(4) && declined.events.map(\.news.name) == ["code_issued", "declined"])
        guard case .codeIssued(let code) = declined.events[0].news else { throw Unexpected() }
        #expect(code.pageURL == "https://tve.example.net/activate" && !code.isResumed)
        service.setCodeState("waiting")
        try await box.signIn(service)
        guard case .approved(let signIn, true) = self.news(try await box.events("pair")) else { throw Unexpected() }
        #expect(signIn.mvpd == "CableNova" && signIn.mvpdName == "Cable Nova" && signIn.expires != nil)
    }

    @Test(
        "asks the server for the sign-in before it says that there is one, and shows a code where it is over",
        .signedIn)
    func pairingAfterTheEnd() async throws {
        service.answer("/adobe-services/usermetadata", with: .response(503))
        let unsure = try await box.events("pair")
        #expect(unsure.end == .exited(0) && unsure.events.map(\.news.name) == ["warning", "approved"])
        service.answer("/adobe-services/usermetadata", with: .response(200, body: "<pendingLogout/>"))
        service.setCodeState("declined")
        let over = try await box.events("pair")
        #expect(over.end == .exited(4) && over.events.map(\.news.name) == ["code_issued", "declined"])
    }

    @Test("is never silent: command lines, configurations and servers that are wrong, and texts that were asked for")
    func everythingElse() async throws {
        let box = try Latchkey("http://127.0.0.1:1")
        for (words, end, code): ([String], Int32, String) in [
            (["piar"], 64, "usage"), (["pair", "--timeout", "soon"], 64, "usage"), (["authorize"], 64, "usage"),
            (["status", "--state", box.folder.path], 74, "state"),
            (["status", "--server", "nonsense"], 78, "configuration"),
            (["status"], 69, "unreachable"), (["pair", "--no-wait"], 69, "unreachable"),
            (["pair", "--timeout", "1"], 69, "timed_out"),
        ] {
            let (ended, output, talk) = try await box.run(words + ["--json"])
            #expect(ended == .exited(end) && talk == "", "\(words): \(talk)")
            #expect(try await EventSchema.faults(in: output) == "")
            let last = try #require(output.split(separator: "\n").last)
            guard case .error(let failure) = try BoxEvent(line: String(last)).news else { throw Unexpected() }
            #expect(failure.code == code && failure.exitCode == end, "\(words): \(output)")
        }
        for words in [["help"], ["version"], ["-v"], ["completion", "bash"], ["pair", "--help"], ["help", "--man"]] {
            let (ended, output, talk) = try await ChildProcess(Latchkey.program, ["--json"] + words).run()
            #expect(ended == .exited(0) && talk == "", "\(words)")
            #expect(try await EventSchema.faults(in: output) == "", "\(words)")
        }
    }

    @Test func `speaks of its inside on stderr alone, and only when it is asked to`() async throws {
        let (end, output, talk) = try await box.run("status", "--json", "--verbose")
        #expect(end == .exited(2) && talk.contains("AccessEnabler"))
        #expect(try await EventSchema.faults(in: output) == "")
    }

    @Test("waits at the start for a server that is not there yet, says so once, and goes on when it is")
    func lateServer() async throws {
        service.answer("/o/client/register", with: .response(503))
        let process = try box.start("pair", "--json")
        let output = process.outputLines
        var names: [String] = []
        for _ in 0..<3 { names.append(try BoxEvent(line: try #require(await output.next())).news.name) }
        #expect(names == ["unreachable", "reachable", "code_issued"])
        await service.isPolled()
        service.confirm()
        #expect(try BoxEvent(line: try #require(await output.next())).news.name == "approved")
        #expect(await process.waitForEnd() == .exited(0))
    }

    @Test func `obeys a server that asks to be left alone for a while`() async throws {
        service.setCodeState("declined")
        service.answer("/o/client/register", with: .response(429, headers: ["Retry-After": "6"]), times: 1)
        let run = try await box.events("pair", "--timeout", "1")
        #expect(run.events.map(\.news.name) == ["slow_down", "unreachable", "error"])
        #expect(run.events.first?.news == .slowDown(retryAfter: 6))
    }

    @Test func `says that no TV provider can be used, in place of a code that leads nowhere`() async throws {
        service.set { $0.providers = [] }
        let run = try await box.events("pair")
        #expect(run.end == .exited(7) && run.events.count == 1)
        guard case .error(let failure) = self.news(run) else { throw Unexpected() }
        #expect(failure.code == "no_provider" && failure.exitCode == 7)
        #expect(failure.message.contains("has no TV provider for this TV at the moment"))
        let (_, _, talk) = try await box.run("pair")
        #expect(talk.contains("has no TV provider for this TV") && !talk.contains("Stopped."))
    }

    @Test func `gives up when the time limit passes, and the code stays valid`() async throws {
        let run = try await box.events("pair", "--timeout", "1")
        #expect(run.end == .exited(75))
        guard case .error(let failure) = self.news(run) else { throw Unexpected() }
        #expect(failure.code == "timed_out" && failure.message.contains("stays valid"))
        #expect(try box.folder.read("latchkey/state.json").contains(#""code":{"#))
    }

    private struct Unexpected: Error {}
}
