import RealPrograms
import TestSupport

/// The real server, a real box that waits, and a browser: everything a pairing needs.
struct PairingScene: Sendable {
    let server: RunningServer
    let box: RunningBox
    /// What the box shows: its code, and the address on its QR code.
    let code: RunningBox.Code
    let window: BrowserWindow
    let inspection: PageInspection

    var viewer: Viewer { self.server.demo.viewer }

    /// Sets the scene, lends it to `body`, and ends every program on every path.
    static func play(
        _ story: String, on look: BrowserWindow.Look, configuring change: (inout JSON) throws -> Void = { _ in },
        _ body: @Sendable (PairingScene) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let demo = try await DemoFolder.make(.own, in: folder.file("server"), configuring: change)
        let server = try await RunningServer.start(demo, .own)
        let box = try RunningBox.pair(demo, .own, state: folder.file("box.json"))
        let driver = try await Chromedriver.start(home: folder.path)
        do {
            let code = try await box.code()
            try await BrowserWindow.with(look, of: driver) { window in
                try await body(
                    PairingScene(
                        server: server, box: box, code: code, window: window,
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

    func enterCode(_ code: String? = nil) async throws { try await self.window.enterCode(code) }
    func pickProvider() async throws { try await self.window.pickProvider() }
    func decide(_ decision: Phone.Decision) async throws { try await self.window.decide(decision) }

    func signIn(password: String? = nil) async throws {
        try await self.window.signIn(self.viewer.account, password ?? self.viewer.password)
    }
}
