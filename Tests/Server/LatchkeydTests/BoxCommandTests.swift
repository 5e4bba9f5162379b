import Clientless
import CommandLineTool
import Entitlement
import Observability
import POSIX
import Synchronization
import TestSupport
import Testing

@Suite("latchkeyd boxes", .demo, .timeLimit(.minutes(5)))
struct BoxCommandTests {
    private static let now = Timestamp(seconds: 1_800_000_000)

    /// Two boxes of the demo's viewer, of which the newer is over first. The older has a key pair of that many requestors.
    private func madeSetUp(
        keyPairOf count: Int = 2, signedInTo requestors: [String] = ["DEMO", "DEMO-CLASSIC"]
    ) async throws -> TestSetUp {
        let pairs = try await setUp.store { try await $0.credentials().keyPairs }
        let pair = try #require(pairs.first { $0.requestors.count == count })
        let credentials: [BoxCredential] = [.keyPair(pair.publicKey), .application("gone")]
        for (number, requestor) in requestors.enumerated() {
            // One that the requestors share may be used with another credential.
            try await setUp.signIn(
                "box \(number)", id: "of \(number)", requestor: requestor, isExclusive: count == 1,
                credential: credentials[number], at: Self.now + .seconds(60 * number),
                for: .seconds(86_400 - 120 * number))
        }
        return setUp
    }

    private func names(_ run: CommandRun) -> [String] {
        run.output.split(separator: "\n").dropFirst().map { String($0.prefix { $0 != " " }) }
    }

    @Test func `are listed by viewer, requestor and time, shown, and signed out by their name`() async throws {
        let setUp = try await self.madeSetUp()
        let list = try await setUp.run("boxes", "list", "--viewer", "demo", now: Self.now)
        let names = self.names(list)
        #expect(
            names.count == 2 && names.allSatisfy { $0.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{8}/) != nil },
            "\(list.output)")
        let classic = try await setUp.run("boxes", "list", "--requestor", "DEMO-CLASSIC", now: Self.now)
        #expect(self.names(classic) == [names[0]])
        let late = try await setUp.run("boxes", "list", "--since", "2027-01-15T08:00:30Z", now: Self.now)
        #expect(self.names(late) == [names[0]])
        // In the form of a person: the second box signed in a minute after the first.
        let soon = Self.now + .seconds(90)
        #expect(self.names(try await setUp.run("boxes", "list", "--since", "45s", now: soon)) == [names[0]])
        func time(_ moment: Timestamp) -> String { String(LocalTime.text(at: moment.seconds).dropFirst(11).prefix(8)) }
        let today = time(Self.now + .seconds(45))
        #expect(self.names(try await setUp.run("boxes", "list", "--since", today, now: soon)) == [names[0]])
        let ahead = ["--since", today, "--until", time(soon + .seconds(60))]
        #expect(self.names(try await setUp.run(["boxes", "list"] + ahead, now: soon)) == [names[0]])
        let lately = ["--since", "2027-01-10", "--until", today]
        #expect(self.names(try await setUp.run(["boxes", "list"] + lately, now: soon)) == [names[1]])
        try await setUp.run("boxes", "list", "--since", "1m", "--until", "2m", now: soon).expect(
            .usage, talk: "--until is before --since.")
        // One that lies ahead is yesterday's.
        for since in [time(soon + .seconds(60)), "2m", "yesterday", "2027-01-14", "2027-01-14 20:00"] {
            #expect(self.names(try await setUp.run("boxes", "ls", "--since", since, now: soon)) == names, "\(since)")
        }
        #expect(self.names(try await setUp.run("boxes", "list", "--until", "2027-01-14", now: soon)).isEmpty)
        let later = Self.now + .seconds(2 * 86_400)
        #expect(self.names(try await setUp.run("boxes", "list", now: later)).isEmpty)
        #expect(self.names(try await setUp.run("boxes", "list", "--expired", now: later)).count == 2)
        // One that is over takes no place of the list.
        let between = Self.now + .seconds(86_400 - 30)
        #expect(self.names(try await setUp.run("boxes", "list", "--limit", "1", now: between)) == [names[1]])
        let json = try await setUp.run("boxes", "list", "--json", now: Self.now)
        #expect(json.output.contains(#""box":"\#(names[1])""#) && !json.output.contains("permits"))

        let shown = try await setUp.run("boxes", "show", String(names[1].prefix(10)), now: Self.now).expect(.success)
        #expect(shown.output.hasPrefix("box \(names[1])\n") && shown.output.contains("DemoTV"))
        #expect(try await setUp.run("boxes", "show", "--device", "box 0", now: Self.now).output == shown.output)

        // The key pair of a stolen box is named with the command that refuses it; one that is gone has none.
        let key = try #require(
            shown.output.firstMatch(of: /; 'latchkeyd (keys revoke ([0-9A-Za-z]{32}))' refuses it\./))
        let other = try await setUp.run("boxes", "show", names[0], now: Self.now)
        #expect(other.output.hasSuffix("It called with application gone, revoked.\n"), "\(other.output)")
        // After its end: the sessions of these sign-ins are none that could be opened.
        let over = Self.now + .seconds(2 * 86_400)
        let explains = try await setUp.run("explain", "--box", names[1], "--channel", "News", now: over)
        #expect(explains.output.contains("; the box called with key pair \(key.2)"), "\(explains.output)")

        let out = try await setUp.run("boxes", "sign-out", names[1])
        #expect(out.code == .success && out.talk.hasPrefix("The box \(names[1]) is signed out. 1 sign-in ended.\n"))
        #expect(out.talk.contains("'latchkeyd \(key.1)' refuses it."), "\(out.talk)")
        #expect(try await setUp.run("keys", "revoke", String(key.2)).code == .success)
        let revoked = try await setUp.run("boxes", "show", names[1], "--json")
        #expect(revoked.output.contains(#""credentials":[{"credential":"key pair \#(key.2)","#), "\(revoked.output)")
        for member in [#""isInUse":false"#, #""accountName":"demo","by":"#] { #expect(revoked.output.contains(member)) }
        #expect(self.names(try await setUp.run("boxes", "list", now: Self.now)) == [names[0]])
        #expect(try await setUp.run("audit", "--json").output.contains(#""subject":"device \#(names[1])""#))
        // Its operator still sees what became of it.
        let ended = try await setUp.run("boxes", "list", "--ended")
        #expect(self.names(ended) == [names[1]] && ended.output.contains(" ended by "), "\(ended.output)")
        #expect(self.names(try await setUp.run("boxes", "list", "--ended", "--until", "2026-01-01")).isEmpty)
        #expect(try await setUp.run("boxes", "list", "--ended", "--json").output.contains("ended_by_operator"))
        let gone = try await setUp.run("boxes", "show", names[1]).expect(.success, output: "ended by ")
        #expect(gone.output.contains(/\nended .* DemoTV +demo +/), "\(gone.output)")
        try await setUp.run("explain", "--box", names[1], "--channel", "News").expect(
            .notAuthorized, output: "\n1. ended: ")
    }

    @Test func `are said to call with a credential that may not speak for a requestor`() async throws {
        #expect(try await setUp.run("keys", "issue", "--requestor", "DEMO").code == .success)
        _ = try await self.madeSetUp(keyPairOf: 1, signedInTo: ["DEMO-CLASSIC", "DEMO"])
        let list = try await setUp.run("boxes", "list", now: Self.now)
        let box = try #require(self.names(list).last)
        let explained = try await setUp.run(
            "explain", "--box", box, "--channel", "News", "--requestor", "DEMO-CLASSIC", now: Self.now)
        #expect(explained.code == .notAuthorized && explained.output.hasSuffix("\nIt may not play.\n"))
        #expect(
            explained.output.contains(/\n1\. credential: .* it may not speak for this requestor/),
            "\(explained.output)")
    }

    @Test(
        "of a viewer come with a command that finds the viewer's refused sign-ins in the log, whatever its form",
        arguments: [(#"// format: "json""#, LogFormat.journald), (#"format: "json""#, .json)])
    func refusedSignIns(setting: String, format: LogFormat) async throws {
        try setUp.replace(#"// format: "json""#, with: setting, maxReplacements: 1)
        for name in ["demo", "nobody"] {
            let talk = try await setUp.run("boxes", "list", "--viewer", name).talk
            let words = try #require(talk.firstMatch(of: /journalctl -u latchkeyd -g ('[^']+'|\S+)/), "\(talk)")
            let pattern = words.1.trimmingPrefix("'").prefix { $0 != "'" }
            let viewer = try #require(pattern.firstMatch(of: /[0-9a-f]{16}/), "\(talk)")
            let lines = Mutex<[String]>([])
            let sink = LogSink { line in lines.withLock { $0.append(line) } }
            Logger(component: "test", format: format, sink: sink).info(
                "a TV provider did not accept a viewer", [.viewer: .text(String(viewer.0))])
            #expect(lines.withLock { $0.count == 1 && $0[0].contains(pattern) }, "\(talk)")
        }
    }

    @Test(arguments: [
        (["boxes", "show"], ExitCode.usage, "BOX or --device is missing."),
        (["boxes", "show", "xyz"], .usage, "A box is named by 8 to 64 hex digits"),
        (["boxes", "show", "0000000000000000"], .failure, "Nothing is kept of such a box"),
        (["boxes", "sign-out", "00000000", "--device", "box"], .usage, "BOX and --device do not go together."),
        (["boxes", "list", "--ended", "--expired"], .usage, "--ended and --expired do not go together."),
        (["boxes", "list", "--provider", "DemoTW"], .usage, "Did you mean 'DemoTV'?"),
        (["boxes", "list", "--viewer", "nobody"], .failure, "There is no viewer nobody of DemoTV."),
        (["explain", "--box", "00000000"], .usage, "--channel is missing."),
        (["explain", "--box", "00000000", "--channel", "News"], .failure, "Nothing is kept of such a box"),
    ])
    func `are refused by a name that is none`(words: [String], code: ExitCode, sentence: String) async throws {
        try await setUp.run(words).expect(code, talk: sentence)
    }
}
