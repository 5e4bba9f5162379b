import AccessEnabler
import AccessEnablerTesting
import Testing

@testable import sample

/// How an application is tested: the real library, and a service that the test speaks for.
@Suite("The sample application", .timeLimit(.minutes(5)))
struct SampleApplicationTests {
    private let service = FakeService()

    /// Runs the application as its main program does. - Returns: its exit status.
    private func run(_ arguments: String...) async throws -> Int32 {
        let order = try #require(Order(["https://fake.invalid", "a.b.c", "NORTHSPORT", "News"] + arguments))
        let enabler = AccessEnabler(softwareStatement: order.statement, configuration: self.service.configuration())
        return await order.run(with: enabler)
    }

    @Test func `signs its viewer in over the second screen, and gets a token`() async throws {
        async let status = self.run("--provider=SatOne")
        #expect(await self.service.codeOnShow().isEmpty == false)
        self.service.beginLogin()
        self.service.askForConfirmation()
        self.service.signIn(at: "SatOne")
        #expect(try await status == 0)
        #expect(self.service.calls.contains("POST /adobe-services/shortAuthorize"))
    }

    @Test("ends with 2 when the viewer declines, or the code runs out", arguments: [true, false])
    func declined(isDeclined: Bool) async throws {
        async let status = self.run()
        _ = await self.service.codeOnShow()
        if isDeclined { self.service.decline() } else { self.service.expireCode() }
        #expect(try await status == 2)
    }

    @Test func `ends with 1 when the provider denies the channel, or the service cannot be reached`() async throws {
        self.service.deny("News")
        async let status = self.run()
        _ = await self.service.codeOnShow()
        self.service.signIn(at: "CableNova")
        #expect(try await status == 1)
        self.service.isReachable = false
        #expect(try await self.run() == 1)
    }
}

@Suite("A fake service", .timeLimit(.minutes(5)))
struct FakeServiceTests {
    private let service = FakeService()

    private func enabler(_ change: (inout AccessEnabler.Configuration) -> Void = { _ in }) -> AccessEnabler {
        var configuration = self.service.configuration()
        change(&configuration)
        return AccessEnabler(softwareStatement: "a.b.c", configuration: configuration)
    }

    @Test func `tells how a pairing gets on: a login, the provider's words, a confirmation, the end`() async throws {
        let (news, continuation) = AsyncStream.makeStream(of: AccessEnabler.PairingProgress.self)
        let enabler = self.enabler {
            $0.providerChoice = .secondScreen
            $0.pairingProgress = { continuation.yield($0) }
        }
        try await enabler.configure(requestorID: "NORTHSPORT")
        async let outcome = enabler.authenticate()
        var words: [String] = []
        var isOver = false
        for await item in news {
            switch item {
            case .code(let code, let left, let isResumed):
                words.append("code")
                // The server's time is in whole milliseconds.
                let most = left + .milliseconds(1)
                #expect(!isResumed && left > .zero && code.timeLeft > .zero && code.timeLeft <= most)
                _ = await self.service.codeOnShow()
                self.service.beginLogin()
            case .state(.loggingIn):
                words.append("loggingIn")
                _ = await self.service.codeOnShow()
                self.service.refuseLogin("No such account")
            case .providerRefused(let reason):
                words.append("refused: \(reason ?? "")")
                _ = await self.service.codeOnShow()
                self.service.askForConfirmation()
            case .state(.confirming):
                words.append("confirming")
                _ = await self.service.codeOnShow()
                self.service.decline()
            case .ended(let end):
                words.append("\(end)")
                isOver = true
            default: words.append("something else")
            }
            if isOver { break }
        }
        #expect(words == ["code", "loggingIn", "refused: No such account", "confirming", "declined"])
        guard case .notAuthenticated = await outcome else { return #expect(Bool(false), "signed in") }
        await enabler.shutDown()
    }

    @Test func `forgets an abandoned code, ends sign-ins as an operator does, and permits again`() async throws {
        let enabler = self.enabler()
        try await enabler.configure(requestorID: "NORTHSPORT")
        await enabler.selectProvider("SatOne")
        async let abandoned = enabler.authenticate()
        let former = await self.service.codeOnShow()
        await enabler.selectProvider(nil)
        _ = await abandoned
        await enabler.selectProvider("CableNova")
        async let outcome = enabler.authenticate()
        while self.service.calls.count(where: { $0.hasSuffix("/regcode") }) < 2 { await Task.yield() }
        #expect(await self.service.codeOnShow() != former)
        self.service.signIn(at: "CableNova")
        #expect(await outcome == .authenticated(mvpdID: "CableNova"))
        self.service.deny("News", words: "Not in your package.")
        #expect(await enabler.preauthorizedResources(among: ["News", "Sport"]) == ["Sport"])
        let failure = await #expect(throws: AccessEnabler.AuthorizationFailure.self) {
            try await enabler.authorize("News")
        }
        #expect(failure?.description == "Not in your package.")
        self.service.permit("News")
        #expect(try await enabler.authorize("News").resource == "News")
        self.service.revokeSignIns()
        await #expect(throws: AccessEnabler.AuthorizationFailure.self) { try await enabler.authorize("Sport") }
        guard case .notAuthenticated = await enabler.authenticationStatus()
        else { return #expect(Bool(false), "still signed in") }
        await enabler.shutDown()
    }
}
