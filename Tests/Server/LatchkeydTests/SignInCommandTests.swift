import Clientless
import CommandLineTool
import Entitlement
import FoundationEssentials
import Stores
import Testing
import latchkeyd

@Suite("latchkeyd sign-ins end", .demo, .timeLimit(.minutes(5)))
struct SignInCommandTests {
    private let now = Timestamp(seconds: 1_800_000_000)

    private func store<Result>(
        _ setUp: TestSetUp, _ body: (any EmbeddedStore) async throws -> Result
    ) async throws -> Result {
        let store = try await SQLiteStore.open(setUp.file("latchkeyd.sqlite"))
        let result = try await body(store)
        await store.close()
        return result
    }

    /// Signs `device` in for a viewer of the local provider, by its account's ID where there is one.
    private func signIn(
        _ device: String, viewer: String, requestor: String, code: String, at moment: Timestamp, _ setUp: TestSetUp
    ) async throws {
        let keys = try KeyFolder(setUp.file("keys")).load().serverKeys
        let mvpd = MVPDID("DemoTV")!
        try await self.store(setUp) { store in
            let id = try await store.account(viewer, of: mvpd)?.id ?? viewer
            try await store.insert(
                AuthNRecord(
                    id: AuthNID(text: "of \(device)"),
                    context: DeviceContext(device: keys.deviceHash(DeviceID(device)!), appID: nil, deviceUser: nil),
                    requestor: RequestorID(requestor)!, isExclusive: false, mvpd: mvpd,
                    userID: keys.userID(id, of: mvpd), code: RegistrationCodeText(code), created: moment,
                    expires: moment + .seconds(86_400), sealedSession: [1]), replacing: AuthNReplacement(.context))
        }
    }

    private func madeSetUp() async throws -> TestSetUp {
        try await self.signIn("a", viewer: "demo", requestor: "DEMO", code: "BBBBBB2", at: self.now, setUp)
        try await self.signIn(
            "b", viewer: "demo", requestor: "DEMO-CLASSIC", code: "BBBBBB3", at: self.now + .seconds(60), setUp)
        try await self.signIn(
            "c", viewer: "other", requestor: "DEMO", code: "BBBBBB4", at: self.now + .seconds(120), setUp)
        return setUp
    }

    private func left(_ setUp: TestSetUp) async throws -> [String] {
        try await self.store(setUp) { store in
            try await store.authentications(AuthNSelection(), after: nil, limit: 10)
                .map { String($0.id.text.suffix(1)) }
        }
    }

    @Test(
        "ends those selected and no others, and counts them first where that is asked for",
        arguments: [
            (["--viewer", "demo"], ["c"]), (["--code", "bbb-bbb-3"], ["a", "c"]), (["--requestor", "DEMO"], ["b"]),
            (["--since", "2027-01-15T08:01:00Z"], ["a"]), (["--until", "2027-01-15T08:01:00Z"], ["b", "c"]),
            (["--since", "2027-01-15T08:01:00Z", "--requestor", "DEMO"], ["a", "b"]), (["--device", "b"], ["a", "c"]),
            (["--provider", "DemoTV"], []), (["--viewer", "other"], ["a", "b"]), (["--all"], []),
        ])
    func selections(words: [String], kept: [String]) async throws {
        let setUp = try await self.madeSetUp()
        func run(_ more: String...) async throws -> CommandRun {
            try await setUp.run(["sign-ins", "end"] + words + more)
        }
        let count = 3 - kept.count
        let rehearsal = try await run("--dry-run", "--json").expect(.success)
        #expect(rehearsal.output == #"{"ended":false,"signIns":\#(count)}"# + "\n")
        #expect(try await self.left(setUp) == ["a", "b", "c"])
        #expect(try await run().talk == (count == 1 ? "1 sign-in ended.\n" : "\(count) sign-ins ended.\n"))
        #expect(try await self.left(setUp) == kept)
        let log = try await setUp.run("audit", "--json")
        #expect(log.output.contains("\"sign-ins.end\"") || log.output.contains("\"box.sign-out\""))
        #expect(!log.output.contains("BBBBBB3"))
    }

    @Test("says what is wrong with a selection")
    func wrong() async throws {
        for (words, sentence) in [
            ([], "Say whose sign-ins end"), (["--all", "--viewer", "demo"], "--all goes with no other selection"),
            (["--code", "?"], "--code takes a registration code"),
            (["--since", "soon"], "--since takes a time, such as 2h (ago), yesterday, "),
            (["--provider", "None"], "The configuration has no provider 'None'"),
            (["--since", "2026-02-30"], "--since takes a time"),
        ] {
            let run = try await setUp.run(["sign-ins", "end"] + words)
                .expect(.usage)
            #expect(run.talk.hasPrefix("latchkeyd: \(sentence)"), "\(run.talk)")
        }
    }

    @Test("happens to a viewer who is removed, and one of the same name inherits nothing")
    func removedViewer() async throws {
        let setUp = try await self.madeSetUp()
        let removed = try await setUp.run("user", "remove", "demo")
        #expect(removed.talk == "demo of DemoTV is removed. 2 sign-ins ended.\n")
        #expect(try await self.left(setUp) == ["c"])
        let log = try await setUp.run("audit", "--limit", "2", "--json")
        #expect(log.output.contains("\"user.remove\"") && log.output.contains("\"sign-ins.end\""))
    }
}
