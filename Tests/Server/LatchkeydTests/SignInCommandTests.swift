import Clientless
import CommandLineTool
import Entitlement
import Testing

@Suite("latchkeyd sign-ins end", .demo, .timeLimit(.minutes(5)))
struct SignInCommandTests {
    private let now = Timestamp(seconds: 1_800_000_000)

    init() async throws {
        for (number, (device, viewer, requestor)) in [
            ("a", "demo", "DEMO"), ("b", "demo", "DEMO-CLASSIC"), ("c", "other", "DEMO"),
        ].enumerated() {
            try await setUp.signIn(
                device, id: "of \(device)", viewer: viewer, requestor: requestor, code: "BBBBBB\(number + 2)",
                at: self.now + .seconds(60 * number))
        }
    }

    private func left() async throws -> [String] {
        try await setUp.store { store in
            try await store.authentications(.all, after: nil, limit: 10)
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
        func run(_ more: String...) async throws -> CommandRun {
            try await setUp.run(["sign-ins", "end"] + words + more)
        }
        let count = 3 - kept.count
        let rehearsal = try await run("--dry-run", "--json").expect(.success)
        #expect(rehearsal.output == #"{"ended":false,"signIns":\#(count)}"# + "\n")
        #expect(try await self.left() == ["a", "b", "c"])
        #expect(try await run().talk == (count == 1 ? "1 sign-in ended.\n" : "\(count) sign-ins ended.\n"))
        #expect(try await self.left() == kept)
        let log = try await setUp.run("audit", "--json")
        #expect(log.output.contains("\"sign-ins.end\"") || log.output.contains("\"box.sign-out\""))
        #expect(!log.output.contains("BBBBBB3"))
    }

    @Test func `says what is wrong with a selection`() async throws {
        for (words, sentence) in [
            ([], "Say whose sign-ins end"), (["--all", "--viewer", "demo"], "--all goes with no other selection"),
            (["--code", "?"], "--code takes a registration code"),
            (["--since", "soon"], "--since takes a time, such as 2h (ago), yesterday, "),
            (["--provider", "None"], "The configuration has no provider 'None'"),
            (["--since", "2026-02-30"], "--since takes a time"),
        ] {
            let run = try await setUp.run(["sign-ins", "end"] + words).expect(.usage)
            #expect(run.talk.hasPrefix("latchkeyd: \(sentence)"), "\(run.talk)")
        }
    }

    @Test func `happens to a viewer who is removed, and one of the same name inherits nothing`() async throws {
        let removed = try await setUp.run("user", "remove", "demo")
        #expect(removed.talk == "demo of DemoTV is removed. 2 sign-ins ended.\n")
        #expect(try await self.left() == ["c"])
        let log = try await setUp.run("audit", "--limit", "2", "--json")
        #expect(log.output.contains("\"user.remove\"") && log.output.contains("\"sign-ins.end\""))
    }
}
