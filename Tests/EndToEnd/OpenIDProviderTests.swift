import FoundationEssentials
import Glibc
import RealPrograms
import TestSupport
import Testing

@Suite("The real programs and a real TV provider, Debian's glewlwyd", .serialized, .timeLimit(.minutes(5)))
struct OpenIDProviderTests {
    private static let id = RunningOpenIDProvider.id

    private func latchkeyd(_ pair: Pair, _ words: String...) async throws -> (ChildProcess.End, talk: String) {
        let (end, output, talk) = try await ChildProcess(
            ProgramFolder.own.server, words + ["--config", pair.demo.serverConfiguration]
        ).run()
        return (end, output + talk)
    }

    @Test func `From the QR code over the provider's pages to a signed-in box, and out again`() async throws {
        try await Pair.with(RunningOpenIDProvider.self) { pair, provider in
            let checked = try await self.latchkeyd(pair, "provider", "check", Self.id)
            #expect(checked.0 == .exited(0), "\(checked.talk)")
            #expect(checked.talk.contains("\(pair.demo.url)/sp/login/\(Self.id)"))

            let box = try pair.startPairing()
            let phone = Phone()
            let away = try await phone.walkToProvider(from: try await box.code().url, as: RunningOpenIDProvider.viewer)
            #expect(away.hasPrefix(provider.issuer))
            let back = try await provider.signIn(from: away)
            #expect(back.hasPrefix("\(pair.demo.url)/sp/login/\(Self.id)?"))
            let question = try await phone.open(back)
            #expect(question.isConfirmation, "\(question.summary)")
            _ = try await phone.decide(.confirm, on: question)
            try await box.end(with: 0)
            // The answer counts once.
            #expect(try await !Phone().open(back).isConfirmation)

            #expect(try await pair.box("authorize", "NS-KIDS").end == .exited(0))
            #expect(try await pair.box("authorize", "NS-MOVIES").end == .exited(3))
            #expect(try await pair.box("logout").end == .exited(0))
            #expect(try await pair.box("status").end == .exited(2))
        }
    }

    @Test("A viewer who declines the box stays signed out, and one who turns back at the provider may try again")
    func declined() async throws {
        try await Pair.with(RunningOpenIDProvider.self) { pair, provider in
            let box = try pair.startPairing()
            let phone = Phone()
            let code = try await box.code()
            let away = try await phone.walkToProvider(from: code.url, as: RunningOpenIDProvider.viewer)
            let state = URLComponents(string: try await provider.signIn(from: away))?.queryItems?
                .first { $0.name == "state" }?.value
            let refused = try await phone.open(
                "\(pair.demo.url)/sp/login/\(Self.id)?error=access_denied&state=\(try #require(state))")
            #expect(refused.status == 403, "\(refused.summary)")
            let again = try await phone.walkToProvider(from: code.url, as: RunningOpenIDProvider.viewer)
            let question = try await phone.open(try await provider.signIn(from: again))
            _ = try await phone.decide(.decline, on: question)
            #expect(await box.end() != .exited(0))
            #expect(try await pair.box("status").end == .exited(2))
        }
    }

    @Test("A provider that comes while the server runs takes sign-ins, and one that had begun at another goes on")
    func reload() async throws {
        let folder = try TemporaryFolder()
        let demo = try await DemoFolder.make(.own, in: folder.file("server"))
        let provider = try await RunningOpenIDProvider.start(
            in: folder.file("provider"), back: RunningOpenIDProvider.back(of: demo))
        let service = try await RunningService.start(demo)
        let first = Pair(folder: folder, demo: demo, server: service.servers[0])
        let waiting = try first.startPairing()
        let phone = Phone()
        let question = try await phone.walkToConfirmation(from: try await waiting.code().url, as: demo.viewer)
        for server in service.servers {
            try provider.configure(server.demo)
            server.send(SIGHUP)
            try await server.waitUntilSaid("the configuration was read again")
        }
        try demo.configureBox { $0["scope"] = "another box" }
        let box = try Pair(folder: folder, demo: demo, server: service.servers[0], boxState: "second.json")
            .startPairing()
        let code = try await box.code()
        let other = Phone()
        let away = try await other.walkToProvider(from: code.url, as: RunningOpenIDProvider.viewer)
        let found = try await other.open(try await provider.signIn(from: away))
        _ = try await other.decide(.confirm, on: found)
        try await box.end(with: 0)
        _ = try await phone.decide(.confirm, on: question)
        try await waiting.end(with: 0)
        await service.stop()
    }
}
