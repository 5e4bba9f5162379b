import RealPrograms
import TestSupport
import Testing

/// The real server, a real TV provider, a box that waits, and a browser.
private struct ProviderScene: Sendable {
    let demo: DemoFolder
    let provider: RunningOpenIDProvider
    let boxState: String
    let window: BrowserWindow
    let inspection: PageInspection

    /// Sets the scene, lends it to `body`, and ends every program on every path.
    static func play(
        _ story: String, on look: BrowserWindow.Look, _ body: @Sendable (ProviderScene) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let demo = try await DemoFolder.make(.own, in: folder.file("server"))
        let provider = try await RunningOpenIDProvider.start(
            in: folder.file("provider"), back: RunningOpenIDProvider.back(of: demo))
        try provider.configure(demo)
        let server = try await RunningServer.start(demo, .own)
        let driver = try await Chromedriver.start(home: folder.path)
        do {
            try await BrowserWindow.with(look, of: driver) { window in
                try await body(
                    ProviderScene(
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

    /// From the address of the QR code to the provider's own page.
    func leave(_ code: RunningBox.Code) async throws {
        try await self.window.open(code.url)
        try await self.window.enterCode()
        try await self.window.click("button[name=mvpd][value=\(RunningOpenIDProvider.id)]")
        try await self.until("the provider's page") { try await self.window.url.hasPrefix(self.provider.url) }
    }

    /// Types the viewer's name and password at the provider.
    func signIn() async throws {
        try await self.appear("#username")
        try await self.window.type(RunningOpenIDProvider.viewer.account, into: "#username")
        try await self.window.type(RunningOpenIDProvider.viewer.password, into: "#password")
        try await self.window.click("#loginbut")
    }

    /// Ends all of the viewer's sessions, on the provider's page for that.
    func signOut() async throws {
        try await self.window.open(
            "\(self.provider.url)/login.html?client_id=latchkey&scope=openid&prompt=single_logout")
        try await self.appear("button.btn-danger:not(.dropdown-toggle)")
        try await self.window.click("button.btn-danger:not(.dropdown-toggle)")
        try await self.appear("button.btn-primary")
    }

    /// Lets the provider send the viewer back to us.
    func goOn() async throws {
        try await self.appear("button.btn-success")
        try await self.window.click("button.btn-success")
        try await self.appear("button[name=decision]")
        #expect(try await self.window.url.hasPrefix(self.demo.url))
    }

    /// The provider's pages write themselves.
    func appear(_ selector: String) async throws {
        try await self.until(selector) { try await !self.window.elements(selector).isEmpty }
    }

    func until(_ name: String, _ condition: @escaping @Sendable () async throws -> Bool) async throws {
        try await eventually(name) { try await condition() ? () : nil }
    }
}

@Suite("A real TV provider's pages, in Chromium", .serialized, .timeLimit(.minutes(5)))
struct ProviderPagesTests {
    @Test(
        "From the QR code over the provider to a signed-in box; declined once; signed out on the box and at the provider",
        arguments: [.desktop, .phone] as [BrowserWindow.Look])
    func wholeLife(_ look: BrowserWindow.Look) async throws {
        try await ProviderScene.play("provider", on: look) { scene in
            let declined = try scene.startPairing()
            try await scene.leave(try await declined.code())
            try await scene.signIn()
            try await scene.goOn()
            try await scene.inspection.look(at: "question", after: scene.provider.url)
            try await scene.window.decide(.decline)
            try await scene.inspection.look(at: "declined")
            #expect(await declined.end() == .exited(4))
            #expect(try await scene.box("status").end == .exited(2))

            // The provider knows the browser now.
            let box = try scene.startPairing()
            try await scene.leave(try await box.code())
            try await scene.goOn()
            try await scene.window.decide(.confirm)
            try await scene.inspection.look(at: "done", after: scene.provider.url)
            #expect(await box.end() == .exited(0))
            #expect(try await scene.box("authorize", "NS-KIDS").end == .exited(0))
            #expect(try await scene.box("logout").end == .exited(0))
            #expect(try await scene.box("status").end == .exited(2))

            // The viewer signs out at the provider, which then asks for the password again.
            try await scene.signOut()
            let again = try scene.startPairing()
            try await scene.leave(try await again.code())
            try await scene.signIn()
            try await scene.goOn()
            try await scene.window.decide(.confirm)
            #expect(await again.end() == .exited(0))
        }
    }
}
