import Clientless
import CommandLineTool
import Entitlement
import FoundationEssentials
import Glibc
import Providers
import Stores
import TestSupport
import Testing
import latchkeyd

/// What the commands of operators work on: the pairing of a demo set-up.
private struct Desk {
    let requestor = RequestorID("DEMO")!
    let now = Timestamp(seconds: 1_800_000_000)

    /// Lends the pairing, as the server would have it.
    func domain<Result>(_ body: (Entitlements) async throws -> Result) async throws -> Result {
        let keys = try KeyFolder(setUp.file("keys")).load()
        let store = try await SQLiteStore.open(setUp.file("latchkeyd.sqlite"))
        let configuration = try configuration(try setUp.folder.read("server/latchkeyd.json5"))
        let local = MVPDID("DemoTV")!
        let domain = Entitlements(
            ConfiguredCatalogue(
                configuration.catalogue, providers: [local: LocalProvider(mvpd: local, accounts: store)]),
            store: store, keys: keys.serverKeys,
            documents: TokenDocumentSigner(signingWith: keys.tokenSigning[0].key), uptime: { .zero })
        _ = try await domain.upkeep.start(now: self.now)
        let result = try await body(domain)
        await store.close()
        return result
    }

    /// Signs a device in on a trial and lets it play something.
    /// - Returns: whether it may.
    func tries(_ device: String, person: String? = nil, after duration: Duration = .zero) async throws -> Bool {
        try await self.domain { domain in
            let now = self.now + duration
            let context = domain.signIns.context(DeviceID(device)!, appID: nil, deviceUser: nil)
            _ = try await domain.trials.start(
                context, requestor: self.requestor, mvpd: MVPDID("FreePreview")!,
                person: person.map { domain.trials.person($0) }, by: Guesser(.local), now: now)
            do throws(EntitlementError) {
                _ = try await domain.decisions.authorize(
                    Resource("Demo One")!, by: try await domain.signIns.signedIn(context, self.requestor, now: now),
                    requestor: self.requestor, now: now)
                return true
            } catch {
                guard error.code == .notAuthorized else { throw error }
                return false
            }
        }
    }

    func run(_ arguments: String..., after duration: Duration = .zero) async throws -> CommandRun {
        try await setUp.run(arguments, now: self.now + duration)
    }
}

private let desk = Desk()

@Suite("latchkeyd for operators", .demo, .timeLimit(.minutes(5)))
struct OperationCommandTests {
    @Test func `trials reset lets trials begin anew: of one box, of one person, of everybody`() async throws {
        let later: Duration = .seconds(601)
        for device in ["one", "two", "three"] { #expect(try await desk.tries(device)) }
        #expect(try await desk.tries("four", person: "ada"))
        #expect(try await desk.tries("one", after: later) == false)
        let pair = ["--requestor", "DEMO", "--provider", "FreePreview"]
        func reset(_ more: String...) async throws -> CommandRun {
            try await setUp.run(["trials", "reset"] + pair + more, now: desk.now + later)
        }
        let one = try await reset("--device", "one").expect(.success)
        #expect(one.talk == "1 trial is forgotten.\n" && one.output == "")
        #expect(try await desk.tries("one", after: later))
        #expect(try await desk.tries("two", after: later) == false)
        #expect(try await reset("--person", "ada").talk == "1 trial is forgotten.\n")
        #expect(try await desk.tries("four", person: "ada", after: later))
        #expect(try await reset("--json").output == #"{"reset":4}"# + "\n")
        #expect(try await desk.tries("two", after: later))
    }

    @Test func `degradation adds, lists and ends rules`() async throws {
        let added = try await desk.run(
            "degradation", "add", "authzNone", "--requestor", "DEMO", "--provider", "DemoTV", "--channel", "Demo One",
            "--channel", "Demo Two", "--channel", "Demo Zero", "--for", "2h", "--message", "Not today", "--json"
        ).expect(.success)
        #expect(added.talk == "The rule is in force until 2027-01-15T10:00:00Z.\n")
        let id = try #require(added.output.split(separator: "\"id\":\"").last?.prefix(36))
        let rule =
            #"[{"activation":"2027-01-15T08:00:00Z","ends":"2027-01-15T10:00:00Z","id":"\#(id)","inForce":true,"#
            + #""kind":"authzNone","message":"Not today","provider":"DemoTV","requestor":"DEMO","#
            + #""resources":["Demo One","Demo Two","Demo Zero"]}]"# + "\n"
        #expect(added.output == rule)
        #expect(try await desk.run("degradation", "list", "--json").output == rule)
        #expect(try await desk.run("degradation", "list", "--json", after: .seconds(7200)).output == "[]\n")
        let effect = try await desk.domain { domain in
            domain.degradations.inForce.effect(
                on: Resource("Demo One")!, desk.requestor, MVPDID("DemoTV")!, at: desk.now)
        }
        #expect(effect == .refuse(message: "Not today"))

        let part = try await desk.run(
            "degradation", "end", "authzNone", "--requestor", "DEMO", "--channel", "Demo One", "--channel", "Demo Zero")
        #expect(part.talk == "1 rule is changed.\n")
        #expect(try await desk.run("degradation", "list").output.contains("  Demo Two  ends 2027-01-15T10:00:00Z"))
        let ended = try await desk.run("degradation", "end", "authzNone", "--requestor", "DEMO", "--json")
        #expect(ended.output.contains(#""inForce":false"#))
        #expect(try await desk.run("degradation", "list", "--json").output == "[]\n")
        #expect(try await desk.run("degradation", "list", "--history", "--json").output.contains(#""id":"\#(id)""#))
        let again = try await desk.run("degradation", "end", "authzNone", "--requestor", "DEMO").expect(.failure)
        #expect(again.talk.hasPrefix("latchkeyd: No such rule is in force."))
    }

    @Test func `boxes --device shows what is kept of a box, and ends one sign-in or all`() async throws {
        #expect(try await desk.tries("living room"))
        try await desk.run("boxes", "show", "--device", "living room").expect(
            .success, output: "DEMO       FreePreview", "permit   Demo One ")
        struct Kept: Decodable {
            struct SignIn: Decodable { let id: String }
            let signIns: [SignIn]
        }
        let json = try await desk.run("boxes", "show", "--device", "living room", "--json")
        let id = try #require(try JSONDecoder().decode(Kept.self, from: Data(json.output.utf8)).signIns.first?.id)
        try await desk.run("boxes", "sign-out", "--device", "living room", "--sign-in", "x").expect(.failure)
        let ended = try await desk.run("boxes", "sign-out", "--device", "living room", "--sign-in", id)
        #expect(ended.talk == "1 sign-in ended.\n")
        #expect(try await desk.run("boxes", "show", "--device", "living room").code == .failure)
        #expect(try await desk.tries("living room"))
        let all = try await desk.run("boxes", "sign-out", "--device", "living room", "--json")
        #expect(all.output.contains(#""signIns":1}"#), "\(all.output)")
    }

    @Test func `boxes reads the device ID from standard input, where no list of processes shows it`() async throws {
        #expect(try await desk.tries("living room"))
        let program = "'\(BuiltProgram.path)' boxes show --device - --config '\(setUp.configurationFile)'"
        let (end, output, talk) = try await ChildProcess("sh", ["-c", "echo living room | \(program)"]).run()
        #expect(end == .exited(0), "\(talk)")
        #expect(output.contains("permit   Demo One "))
    }

    @Test func `audit shows every change, newest first, with neither secrets nor device IDs`() async throws {
        #expect(try await desk.tries("living-room"))
        _ = try await desk.run("keys", "issue", "--requestor", "DEMO")
        _ = try await desk.run("trials", "reset", "--requestor", "DEMO", "--provider", "FreePreview")
        _ = try await desk.run("degradation", "add", "authnAll", "--requestor", "DEMO", after: .seconds(1))
        _ = try await desk.run("boxes", "sign-out", "--device", "living-room", after: .seconds(2))
        let log = try await desk.run("audit", "--limit", "4", "--json")
        struct Entry: Decodable {
            let time: String
            let actor: String
            let action: String
            let subject: String
        }
        let entries = try JSONDecoder().decode([Entry].self, from: Data(log.output.utf8))
        #expect(entries.map(\.action) == ["box.sign-out", "degradation.add", "trials.reset", "key-pair.create"])
        // The user of this machine, by number and name.
        #expect(entries.allSatisfy { $0.actor.hasPrefix("\(geteuid()):") })
        #expect(entries[0].time == "2027-01-15T08:00:02Z")
        let table = try await desk.run("audit")
        #expect(table.output.contains("degradation.add"))
        #expect(table.output.contains("living-room") == false)
        // By time and by subject.
        func actions(_ words: String...) async throws -> [String] {
            let run = try await setUp.run(["audit", "--json"] + words, now: desk.now)
            return try JSONDecoder().decode([Entry].self, from: Data(run.output.utf8)).map(\.action)
        }
        #expect(
            try await actions("--since", "2027-01-15T08:00:01Z", "--until", "2027-01-15T08:00:02Z")
                == ["degradation.add"])
        #expect(try await actions("--subject", "freepreview") == ["trials.reset"])
        #expect(try await actions("--subject", "DEVICE ", "--actor", "\(geteuid()):").first == "box.sign-out")
        #expect(try await actions("--actor", "nobody of that name") == [])
    }

    @Test func `confirm-time makes the server believe its clock again, and is in the audit`() async throws {
        try await desk.run("confirm-time", after: .seconds(400 * 86_400)).expect(.success)
        #expect(try await desk.run("audit", "--limit", "1", "--json").output.contains("time.confirm"))
        let store = try await SQLiteStore.open(setUp.file("latchkeyd.sqlite"))
        var clock = PurgeClock()
        #expect(
            clock.look(wall: desk.now + .seconds(400 * 86_400), uptime: .zero, lastPurge: try await store.lastPurge())
                == nil)
        await store.close()
    }

    @Test(
        "says what is wrong with a command that names nothing it knows",
        arguments: [
            (["trials", "reset", "--provider", "FreePreview"], "--requestor is missing"),
            (
                ["trials", "reset", "--requestor", "DEMO"],
                "--provider takes a temporary pass of DEMO; it has FreePreview"
            ),
            (
                ["trials", "reset", "--requestor", "DEMO", "--provider", "DemoTV"],
                "--provider takes a temporary pass of DEMO"
            ),
            (
                ["trials", "reset", "--requestor", "DEMO", "--provider", "FreePrevieu"],
                "DEMO has no provider 'FreePrevieu'. Did you mean 'FreePreview'?"
            ),
            (
                [
                    "trials", "reset", "--requestor", "DEMO", "--provider", "FreePreview", "--device", "a",
                    "--person", "b",
                ], "--device and --person do not go together."
            ),
            (["degradation", "add", "none", "--requestor", "DEMO"], "KIND takes one of authnAll, authzAll, authz"),
            (
                ["degradation", "add", "authnAll", "--requestor", "DEMO", "--channel", "A"],
                "A sign-in has no --channel."
            ),
            (
                ["degradation", "add", "authzAll", "--requestor", "DEMO", "--for", "8d"],
                "--for takes a time from 1s to 7d"
            ),
            (
                ["degradation", "add", "authzAll", "--requestor", "DEMO", "--channel", "<rss>"],
                "--channel takes a channel or an MRSS document"
            ),
            (
                ["degradation", "end", "authzAll", "--requestor", "DEMOS"],
                "The configuration has no requestor 'DEMOS'."
            ),
            (["boxes", "show", "--device", String(repeating: "x", count: 513)], "A device ID has 1 to 512 bytes"),
            (["audit", "--limit", "0"], "--limit takes a whole number from 1 to 10000"),
        ])
    func wrong(words: [String], sentence: String) async throws {
        let run = try await setUp.run(words).expect(.usage)
        #expect(run.talk.hasPrefix("latchkeyd: \(sentence)"), "\(run.talk)")
        #expect(run.output == "")
    }
}
