import Clientless
import Cryptography
import RealPrograms
import TestSupport
import Testing

@Suite("The account of a real box at the real server", .serialized, .timeLimit(.minutes(5)))
struct RealBoxAccountTests {
    /// Lends a real agent whose account is the strict requestor's sign-in, at a server where the other requestor takes the
    /// accounts of boxes.
    private func with(_ body: (Pair, _ socket: String) async throws -> Void) async throws {
        try await Pair.with { settings in
            let requestors = settings["requestors"]?.list ?? []
            settings["requestors"] = .list(
                requestors.map { requestor in
                    guard requestor["id"]?.text == DemoFolder.compatibleRequestor else { return requestor }
                    var changed = requestor
                    let integrations = requestor["integrations"]?.list ?? []
                    changed["integrations"] = .list(
                        integrations.map { integration in
                            guard integration["provider"]?.text == DemoFolder.provider else { return integration }
                            var changed = integration
                            changed["platform"] = .object([
                                "enabled": .bool(true), "status": .text("SUPPORTED"), "boxAccounts": .bool(true),
                            ])
                            return changed
                        })
                    return changed
                })
        } _: { pair in
            let keys = pair.demo.keyPair
            try pair.demo.configureBox { settings in
                settings["requestors"] = .object([
                    DemoFolder.compatibleRequestor: .object([
                        "keyPair": .object([
                            "publicKey": .text(keys.publicKey),
                            "privateKey": .text(keys.privateKey.withBytes { String(decoding: $0, as: UTF8.self) }),
                        ])
                    ])
                ])
                settings["agent"] = .object(["account": .text(DemoFolder.strictRequestor)])
            }
            let socket = pair.folder.file("agent.sock")
            let agent = try ChildProcess(
                ProgramFolder.own.box,
                [
                    "agent", "--config", pair.demo.boxConfiguration, "--socket", socket, "--state",
                    pair.folder.file("agent/state.json"),
                ])
            try await eventually("an agent") {
                try await pair.box("account", "show", "--socket", socket).end == .exited(2) ? () : nil
            }
            try await body(pair, socket)
            agent.send(15)
            #expect(await agent.waitForEnd() == .exited(0))
        }
    }

    private func ask(
        _ socket: String, _ method: String, _ path: String, _ body: String? = nil
    ) async throws -> (status: String, json: JSON) {
        let data = body.map { ["-d", $0] } ?? []
        let (_, output, talk) = try await ChildProcess(
            "curl", ["-sS", "-X", method, "-w", "\n%{http_code}", "--unix-socket", socket, "http://box\(path)"] + data
        ).run()
        let lines = output.split(separator: "\n")
        guard let status = lines.last else { throw GaveUp(description: talk) }
        return (String(status), lines.count > 1 ? try JSON(parsing: lines[0]) : .null)
    }

    private static let classic = "/v1/requestors/\(DemoFolder.compatibleRequestor)"

    @Test("One code signs the box in, the other requestor plays without one, and both end with the account")
    func wholeWay() async throws {
        try await self.with { pair, socket in
            let body = "{\"resource\":\"\(DemoFolder.channel)\"}"
            #expect(try await self.ask(socket, "POST", "\(Self.classic)/authorize", body).status == "409")
            let box = try RunningBox.start(
                pair.demo, .own, state: pair.boxState, ["account", "sign-in", "--socket", socket])
            try await pair.decide(.confirm, on: try await box.code())
            try await box.end(with: 0)
            let shown = try await pair.box("account", "show", "--socket", socket)
            #expect(shown.end == .exited(0) && shown.events.last?["mvpd"]?.text == DemoFolder.provider)
            let again = try await ChildProcess(
                ProgramFolder.own.box, ["account", "sign-in", "--language", "de", "--socket", socket]
            ).run()
            #expect(again.end == .exited(0) && again.talk.hasPrefix("Dieser Fernseher ist schon mit "), "\(again)")
            try await eventually("a sign-in of the other requestor") {
                try await self.ask(socket, "GET", Self.classic).json["state"]?.text == "signed_in" ? () : nil
            }
            let played = try await self.ask(socket, "POST", "\(Self.classic)/authorize", body)
            #expect(played.status == "200", "\(played)")
            let source = try await self.ask(socket, "GET", "\(Self.classic)/metadata?key=tokenSource")
            #expect(source.status == "200", "\(source)")

            // What one requestor signs out is not the account.
            #expect(try await self.ask(socket, "DELETE", "\(Self.classic)/sign-in").status == "204")
            #expect(try await pair.box("account", "show", "--socket", socket).end == .exited(0))
            let own = "/v1/requestors/\(DemoFolder.strictRequestor)"
            #expect(try await self.ask(socket, "POST", "\(own)/authorize", body).status == "200")

            let ended = try await pair.box("account", "sign-out", "--socket", socket)
            #expect(ended.end == .exited(0) && ended.events.last?["event"] == "signed_out")
            #expect(try await pair.box("account", "show", "--socket", socket).end == .exited(2))
        }
    }

    @Test("A viewer whose account is removed is gone from both requestors, and the box says that the provider refused")
    func refused() async throws {
        try await self.with { pair, socket in
            let box = try RunningBox.start(
                pair.demo, .own, state: pair.boxState, ["account", "sign-in", "--socket", socket])
            try await pair.decide(.confirm, on: try await box.code())
            try await box.end(with: 0)
            try await eventually("a sign-in of the other requestor") {
                try await self.ask(socket, "GET", Self.classic).json["state"]?.text == "signed_in" ? () : nil
            }
            let removal = ["user", "remove", pair.demo.viewer.account, "--config", pair.demo.serverConfiguration]
            #expect(try await ChildProcess(ProgramFolder.own.server, removal).run().end == .exited(0))
            let own = "/v1/requestors/\(DemoFolder.strictRequestor)"
            let body = "{\"resource\":\"\(DemoFolder.channel)\"}"
            #expect(try await self.ask(socket, "POST", "\(own)/authorize", body).status == "409")
            for path in [own, Self.classic] {
                try await eventually("the reason of \(path)") {
                    let reason = try await self.ask(socket, "GET", path).json["reason"]
                    return reason?.text == "refused_by_provider" ? () : nil
                }
            }
        }
    }
}
