import RealPrograms
import TestSupport
import Testing

/// The real server, a real TV provider with SAML, a box that waits, and a browser.
private struct SAMLScene: Sendable {
    let demo: DemoFolder
    let provider: RunningSAMLProvider
    let boxState: String
    let window: BrowserWindow
    let inspection: PageInspection

    /// Sets the scene, lends it to `body`, and ends every program on every path.
    static func play(
        _ story: String, on look: BrowserWindow.Look, _ body: @Sendable (SAMLScene) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let demo = try await DemoFolder.make(.own, in: folder.file("server"))
        let provider = try await RunningSAMLProvider.start(
            in: folder.file("provider"), service: RunningSAMLProvider.service(of: demo))
        let made = try await ChildProcess(
            ProgramFolder.own.server, ["provider", "make-key", folder.file("made.pem")]
        ).run()
        #expect(made.0 == .exited(0))
        try provider.configure(demo, key: try folder.read("made.pem"))
        let server = try await RunningServer.start(demo, .own)
        let driver = try await Chromedriver.start(home: folder.path)
        do {
            try await BrowserWindow.with(look, of: driver) { window in
                try await body(
                    SAMLScene(
                        demo: demo, provider: provider, boxState: folder.file("box.json"), window: window,
                        inspection: PageInspection(window: window, story: story)))
            }
        } catch {
            await driver.stop()
            await server.kill()
            throw error
        }
        await driver.stop()
        await server.stop()
    }

    func startPairing() throws -> RunningBox { try RunningBox.pair(self.demo, .own, state: self.boxState) }

    func box(_ words: String...) async throws -> (end: ChildProcess.End, events: [JSON], talk: String) {
        try await RunningBox.run(self.demo, .own, state: self.boxState, words)
    }

    /// From the address of the QR code to the provider's own page, or past it for a viewer whom it knows.
    func leave(_ code: RunningBox.Code) async throws {
        try await self.window.open(code.url)
        try await self.window.enterCode()
        try await self.window.click("button[name=mvpd][value=\(RunningSAMLProvider.id)]")
    }

    /// Types the viewer's name and password at the provider, whose page then sends its form by itself.
    func signIn() async throws {
        try await self.appear("#password")
        #expect(try await self.window.url.hasPrefix(self.provider.url))
        try await self.window.type(RunningSAMLProvider.viewer.account, into: "#username")
        try await self.window.type(RunningSAMLProvider.viewer.password, into: "#password")
        try await self.window.click("#submit_button")
    }

    func question() async throws {
        try await self.appear("button[name=decision]")
        #expect(try await self.window.url.hasPrefix(self.demo.url))
    }

    func appear(_ selector: String) async throws {
        try await self.until(selector) { try await !self.window.elements(selector).isEmpty }
    }

    func until(_ name: String, _ condition: @escaping @Sendable () async throws -> Bool) async throws {
        try await eventually(name) { try await condition() ? () : nil }
    }
}

@Suite("The pages of a real TV provider with SAML, in Chromium", .serialized, .timeLimit(.minutes(5)))
struct SAMLPagesTests {
    @Test("From the QR code over the provider to a signed-in box; declined once; signed out at the provider")
    func wholeLife() async throws {
        try await SAMLScene.play("saml", on: .phone) { scene in
            let declined = try scene.startPairing()
            try await scene.leave(try await declined.code())
            try await scene.signIn()
            try await scene.question()
            try await scene.window.decide(.decline)
            #expect(await declined.end() == .exited(4))
            #expect(try await scene.box("status").end == .exited(2))

            // The provider knows the browser now.
            let box = try scene.startPairing()
            try await scene.leave(try await box.code())
            try await scene.question()
            try await scene.window.decide(.confirm)
            #expect(await box.end() == .exited(0))
            #expect(try await scene.box("authorize", "NS-KIDS").end == .exited(0))
            // The viewer signs out at the provider: it tells the server, and the box hears of it.
            let address = "\(scene.provider.url)/saml2/idp/SingleLogoutService.php?ReturnTo=\(scene.provider.url)/"
            try await scene.window.open(address)
            try await scene.until("the end of the sign-in") { try await scene.box("status").end == .exited(2) }
            #expect(try await scene.window.url.hasPrefix(scene.provider.url))
        }
    }
}
