import TestSupport
import Testing

@testable import latchkey

@Suite("latchkey doctor", .box, .timeLimit(.minutes(5)))
struct DoctorTests {
    /// The outcomes by the name of the check.
    private func look(
        _ box: Latchkey, _ words: String...
    ) async throws -> (end: ChildProcess.End, checks: [String: BoxEvent.Check]) {
        let (end, output, talk) = try await box.run(["doctor", "--json"] + words)
        #expect(talk == "")
        #expect(try await EventSchema.faults(in: output) == "")
        var checks: [String: BoxEvent.Check] = [:]
        for line in output.split(separator: "\n") {
            if case .check(let check) = try BoxEvent(line: String(line)).news { checks[check.name] = check }
        }
        #expect(
            checks.keys.sorted() == [
                "clock", "configuration", "credential", "dns", "own-ca", "permissions", "proxy", "server", "state-file",
                "tls",
            ])
        for check in checks.values where check.outcome == .fault || check.outcome == .warning {
            #expect(check.advice != nil || check.name == "tls", "\(check)")
        }
        return (end, checks)
    }

    private func faults(_ checks: [String: BoxEvent.Check]) -> [String] {
        checks.values.filter { $0.outcome == .fault }.map(\.name).sorted()
    }

    @Test func `finds nothing wrong with a box that works, and changes nothing at the server`() async throws {
        let (end, checks) = try await self.look(try Latchkey(service.url))
        #expect(end == .exited(0) && self.faults(checks).isEmpty)
        #expect(checks["credential"]?.outcome == .ok && checks["state-file"]?.outcome == .ok)
        #expect(service.calls.allSatisfy { !$0.hasSuffix("/regcode") })
    }

    @Test func `tells a credential that the server refuses, though it gives everyone the configuration`() async throws {
        service.answer("/api/v1/tokens/authn", with: .response(401), times: 2)
        let refused = try await self.look(try Latchkey(service.url))
        #expect(refused.end == .exited(77) && self.faults(refused.checks) == ["credential"])
        #expect(refused.checks["server"]?.message.contains("only on this computer") == true)
        service.answer("/api/v1/tokens/authn", with: .response(403), times: 2)
        let foreign = try await self.look(try Latchkey(service.url))
        #expect(foreign.checks["credential"]?.message.contains("one of another requestor") == true)
    }

    @Test func `names a requestor that the server does not know, and asks for no new credential`() async throws {
        service.answer(
            "/api/v1/config/NORTHSPORT", with: .response(400, body: #"{"status":400,"message":"Invalid requestor"}"#),
            times: 9)
        let (end, checks) = try await self.look(try Latchkey(service.url))
        #expect(end == .exited(78) && self.faults(checks) == ["configuration"])
        #expect(checks["configuration"]?.message.contains("does not know the requestor NORTHSPORT.") == true)
        #expect(checks["credential"]?.outcome == .skipped)
    }

    @Test func `tells a server that is not there from a name that is none`() async throws {
        let closed = try await self.look(try Latchkey("http://127.0.0.1:1"))
        #expect(closed.end == .exited(69) && self.faults(closed.checks) == ["server"])
        #expect(closed.checks["credential"]?.outcome == .skipped)
        let unknown = try await self.look(try Latchkey("https://tv.invalid"))
        #expect(unknown.end == .exited(69) && self.faults(unknown.checks) == ["dns"])
    }

    @Test func `names the credential, the clock, the state file and the configuration`() async throws {
        service.answer("/o/client/register", with: .response(400, body: #"{"error":"unapproved_software_statement"}"#))
        let refused = try await self.look(try Latchkey(service.url))
        #expect(refused.end == .exited(77) && self.faults(refused.checks) == ["credential"])

        service.set { $0.date = "Tue, 19 Jan 2038 03:14:07 GMT" }
        let late = try await self.look(try Latchkey(service.url))
        #expect(self.faults(late.checks) == ["clock"])
        #expect(late.checks["clock"]?.message.contains("2038-01-19T03:14:07Z") == true)

        let state = try await self.look(try Latchkey("http://127.0.0.1:1"), "--state", "/proc/no/state.json")
        #expect(state.end == .exited(74) && state.checks["state-file"]?.outcome == .fault)

        try box.folder.write("{server: }", to: "latchkey.json5")
        let broken = try await self.look(box)
        #expect(broken.end == .exited(78) && self.faults(broken.checks) == ["configuration"])
    }

    @Test func `names an authority that does not fit, and is content with the one that does`() async throws {
        let server = try await TLSServer()
        let box = try Latchkey(server.url)
        let foreign = try await self.look(box)
        #expect(foreign.end == .exited(69) && self.faults(foreign.checks) == ["tls"])
        #expect(foreign.checks["tls"]?.message.contains("no authority that this TV knows") == true)
        let settings = try box.folder.read("latchkey.json5")
        func use(_ authority: String) throws {
            try box.folder.write(
                settings.replacing("scope:", with: "certificateAuthority: '\(authority)', scope:"), to: "latchkey.json5"
            )
        }
        try use(server.certificate)
        #expect(try await self.look(box).checks["tls"]?.outcome == .ok)
        for (address, check, sentence) in [
            (server.url.replacing("127.0.0.1", with: "localhost"), "tls", "one for another name: "),
            (server.url.replacing("https:", with: "http:"), "server", "Perhaps it speaks https"),
            ("\(server.url)activate", "configuration", "its address is \(server.url.dropLast())."),
        ] {
            let finding = try await self.look(box, "--server", address).checks[check]
            #expect(finding?.outcome == .fault && finding?.message.contains(sentence) == true, "\(sentence)")
            let pair = try await box.run("pair", "--no-wait", "--server", address)
            #expect(pair.talk.contains(sentence), "\(pair.talk)")
        }
        let stranger = try await TLSServer()
        try use(stranger.certificate)
        #expect(try await self.look(box).checks["tls"]?.message.contains("does not vouch for") == true)
        #expect(try await box.run("pair", "--no-wait").talk.contains("does not vouch for"))
        // Its files go with it.
        withExtendedLifetime(stranger) {}
        try use(box.folder.file("none.pem"))
        #expect(try await self.look(box).checks["own-ca"]?.outcome == .fault)
        try use("relative.pem")
        #expect(try await box.run("status").talk.contains("certificateAuthority must be the path"))
    }

    @Test func `goes through the proxy that is set, and says so without its password`() async throws {
        let box = try Latchkey("http://127.0.0.2:9")
        let settings = try box.folder.read("latchkey.json5")
        let address = service.url.replacing("http://", with: "http://user:secret@")
        try box.folder.write(settings.replacing("scope:", with: "proxy: '\(address)', scope:"), to: "latchkey.json5")
        let run = try await box.run("doctor", "--insecure")
        #expect(run.output.contains("goes through 127.0.0.1") && !run.output.contains("secret"))
        #expect(!service.calls.isEmpty)
        service.answer("tv.invalid:443", with: .response(407))
        let refused = try await self.look(box, "--server", "https://tv.invalid").checks
        #expect(refused["dns"]?.outcome == .skipped && refused["server"]?.outcome == .fault)
        #expect(refused["server"]?.message.contains("The proxy refuses (407)") == true)
        try box.folder.write(settings.replacing("scope:", with: "proxy: 'ftp://x', scope:"), to: "latchkey.json5")
        #expect(try await box.run("status").talk.contains("proxy must be an address"))
    }
}
