import RealPrograms
import TestSupport

struct ProviderScene<Provider: RunningProvider>: Sendable {
    let demo: DemoFolder
    let provider: Provider
    let boxState: String
    let window: BrowserWindow
    let inspection: PageInspection

    static func play(
        _ story: String, on look: BrowserWindow.Look, _ body: @Sendable (ProviderScene) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let demo = try await DemoFolder.make(.own, in: folder.file("server"))
        let provider = try await Provider.start(for: demo, in: folder)
        let server = try await RunningService.start(demo)
        let driver = try await Chromedriver.start(home: folder.path, hasOwnFonts: false)
        try await ending({
            await driver.stop()
            await server.stop()
        }) {
            try await BrowserWindow.with(look, of: driver) { window in
                try await body(
                    ProviderScene(
                        demo: demo, provider: provider, boxState: folder.file("box.json"), window: window,
                        inspection: PageInspection(window: window, story: story)))
            }
        }
    }

    func startPairing() throws -> RunningBox { try RunningBox.pair(self.demo, .own, state: self.boxState) }

    func box(_ words: String...) async throws -> (end: ChildProcess.End, events: [JSON], talk: String) {
        try await RunningBox.run(self.demo, .own, state: self.boxState, words)
    }

    /// From the address of the QR code to the provider, whose own page a viewer sees whom it does not know yet.
    func leave(_ code: RunningBox.Code) async throws {
        try await self.window.open(code.url)
        // A browser that knows its viewer is at the provider already, or back from there.
        let button = "button[name=mvpd][value=\(Provider.viewer.provider ?? "")]"
        if try await !self.window.elements(button).isEmpty { try await self.window.click(button) }
    }

    /// Types the viewer's name and password into the provider's page, which may write itself.
    func signIn(pressing button: String) async throws {
        try await self.appear("#username")
        try await self.until("the provider's page") { try await self.window.url.hasPrefix(self.provider.url) }
        try await self.window.type(Provider.viewer.account, into: "#username")
        try await self.window.type(Provider.viewer.password, into: "#password")
        try await self.window.click(button)
    }

    func question() async throws {
        try await self.appear("button[name=decision]")
        try await self.until("a page of ours") { try await self.window.url.hasPrefix(self.demo.url) }
    }

    func appear(_ selector: String) async throws {
        try await self.until(selector) { try await !self.window.elements(selector).isEmpty }
    }

    func until(_ name: String, _ condition: @escaping @Sendable () async throws -> Bool) async throws {
        try await eventually(name) { try await condition() ? () : nil }
    }
}
