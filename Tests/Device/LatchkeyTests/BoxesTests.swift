import TestSupport
import Testing

@testable import latchkey

@Suite("latchkey boxes", .signedIn, .timeLimit(.minutes(5)))
struct BoxesTests {
    private func news(_ run: (end: ChildProcess.End, events: [BoxEvent])) -> BoxEvent.News? { run.events.last?.news }

    @Test func `lists the viewer's boxes, with and without the word list, and steers no terminal`() async throws {
        let plain = try await box.run("boxes")
        #expect(plain.end == .exited(0), "\(plain.talk)")
        let lines = plain.output.split(separator: "\n").map(String.init)
        #expect(lines.count == 3)
        #expect(
            lines[0].hasPrefix("00112233-445566aa  Living room (HC-100) (this box), signed in 2026-01-01T00:00:00Z")
        )
        #expect(
            lines[1].hasPrefix(
                "ffee1122-33445566  Attic, signed in 2026-01-01T00:00:00Z, last seen 2026-01-02T00:00:00Z, until "))
        #expect(!plain.output.contains("\u{1B}"))
        let listed = try await box.events("boxes", "list")
        guard case .boxes(let boxes, let hasMore)? = self.news(listed) else { return #expect(Bool(false), "\(listed)") }
        #expect(boxes.count == 3 && !hasMore && boxes.map(\.isThis) == [true, false, false])
        service.set { $0.boxes = #"{"boxes":[],"more":true}"# }
        #expect(try await box.run("boxes").output == "There are more.\n")
    }

    @Test(arguments: [
        ("ffee1122-33445566", Int32(0), "ffee1122-33445566"), ("Attic", 0, "ffee1122-33445566"),
        ("ffdd", 0, "ffdd1122-33445566"), ("ff", 1, "not_found"), ("Cellar", 1, "not_found"),
        ("Living room", 1, "this_box"), ("0011", 1, "this_box"),
    ])
    func `signs out the one box that a word means`(word: String, code: Int32, expected: String) async throws {
        let run = try await box.events("boxes", "sign-out", word, "--yes")
        #expect(run.end == .exited(code))
        let calls = service.requests.filter { $0.path.hasSuffix("/boxLogout") }
        switch self.news(run) {
        case .boxSignedOut(let gone)?: #expect(gone.box == expected && calls.map { $0.form["box"] } == [expected])
        case .error(let failure)?: #expect(failure.code == expected && calls.isEmpty)
        default: Issue.record("\(run)")
        }
    }

    @Test func `does not choose between two boxes of a name`() async throws {
        let twins = ["ffee1122-33445566", "ffdd1122-33445566"].map {
            #"{"box":"\#($0)","name":"Attic","since":"1","expires":"2000000000000","this":false}"#
        }
        service.set { $0.boxes = #"{"boxes":[\#(twins.joined(separator: ","))],"more":false}"# }
        let run = try await box.events("boxes", "sign-out", "Attic", "--yes")
        guard case .error(let failure)? = self.news(run) else { return #expect(Bool(false), "\(run)") }
        #expect(failure.code == "ambiguous" && run.end == .exited(1))
    }

    @Test func `asks first, and never where there is no terminal to ask on`() async throws {
        let run = try await box.run("boxes", "sign-out", "Attic")
        #expect(run.end == .exited(64) && run.talk.contains("--yes is missing"), "\(run)")
        for (answer, isEnded) in [("n", false), ("", false), ("yes", true)] {
            let told = try await self.onTerminal("boxes sign-out Attic", answer)
            #expect(told.contains("Sign out Attic, signed in 2026-01-01T00:00:00Z"), "\(told)")
            #expect(told.contains(isEnded ? "Attic is signed out." : "Nothing was changed."), "\(told)")
            let calls = service.requests.count { $0.path.hasSuffix("/boxLogout") }
            #expect(calls == (isEnded ? 1 : 0))
        }
    }

    /// What the program shows on a terminal where a viewer types `answer`.
    private func onTerminal(_ words: String, _ answer: String) async throws -> String {
        let command = "'\(Latchkey.program)' \(words) --config '\(box.folder.file("latchkey.json5"))'"
        let script = "{ printf '%s\\n' '\(answer)'; } | script -qec \"\(command)\" /dev/null"
        let (_, output, talk) = try await ChildProcess(
            "/bin/sh", ["-c", script], environment: ["XDG_STATE_HOME": box.folder.path, "TERM": "dumb"]
        ).run()
        return output + talk
    }

    @Test func `says that an older server keeps no lists, and that a box that is signed out has none`() async throws {
        service.set { $0.boxes = nil }
        let old = try await box.run("boxes")
        #expect(old.end == .exited(1) && old.talk.contains("it keeps no lists of boxes"), "\(old.talk)")
        service.revoke()
        #expect(try await box.run("boxes").end == .exited(2))
        #expect(try await box.run("status", "--offline").end == .exited(2))
    }
}
