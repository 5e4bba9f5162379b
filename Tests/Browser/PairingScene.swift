import FoundationEssentials
import RealPrograms
import TestSupport

struct PairingScene: Sendable {
    let server: RunningService
    let box: RunningBox
    /// What the box shows: its code, and the address on its QR code.
    let code: RunningBox.Code
    let window: BrowserWindow
    let inspection: PageInspection

    var viewer: Viewer { self.server.demo.viewer }

    /// Sets the scene, lends it to `body`, and ends every program on every path.
    /// - Parameters:
    ///   - change: changes the server's configuration.
    ///   - changeBox: changes the box's configuration.
    ///   - clock: the clock the server obeys, which is one alone then; `nil` is the machine's.
    static func play(
        _ story: String, on look: BrowserWindow.Look, configuring change: (inout JSON) throws -> Void = { _ in },
        configuringBox changeBox: (inout JSON) throws -> Void = { _ in }, clock: ServerClock? = nil,
        _ body: @Sendable (PairingScene) async throws -> Void
    ) async throws {
        try await self.play([(story, look)], configuring: change, configuringBox: changeBox, clock: clock, body)
    }

    /// Plays several stories in a row with one server, each with a box and a browser of its own.
    static func play(
        _ stories: [(story: String, look: BrowserWindow.Look)],
        configuring change: (inout JSON) throws -> Void = { _ in },
        configuringBox changeBox: (inout JSON) throws -> Void = { _ in }, clock: ServerClock? = nil,
        _ body: @Sendable (PairingScene) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let demo = try await DemoTemplate.copy(to: folder.file("server"))
        try demo.configure(change)
        try demo.configureBox(changeBox)
        let server = try await RunningService.start(demo, clock: clock, alone: clock != nil)
        let driver = try await Chromedriver.start(home: folder.path)
        try await ending({
            await driver.stop()
            await server.stop()
        }) {
            for (place, (story, look)) in stories.enumerated() {
                let box = try RunningBox.pair(demo, .own, state: folder.file("box-\(place).json"))
                let code = try await box.code()
                try await BrowserWindow.with(look, of: driver) { window in
                    try await body(
                        PairingScene(
                            server: server, box: box, code: code, window: window,
                            inspection: PageInspection(window: window, story: story)))
                }
            }
        }
    }

    func enterCode(_ code: String? = nil) async throws { try await self.window.enterCode(code) }
    func pickProvider() async throws { try await self.window.pickProvider() }
    func decide(_ decision: Phone.Decision) async throws { try await self.window.decide(decision) }

    /// From the address of the QR code to the page that asks whether the box is the viewer's.
    func walkToQuestion() async throws {
        try await self.window.open(self.code.url)
        try await self.pickProvider()
        try await self.signIn()
    }

    /// Confirms, and expects that the box is signed in.
    func confirm() async throws {
        try await self.decide(.confirm)
        try await self.box.end(with: 0)
    }

    func signIn(password: String? = nil) async throws {
        try await self.window.signIn(self.viewer.account, password ?? self.viewer.password)
    }
}

/// A set-up that is made once, as its keys and its password take seconds, and copied for each scene.
private enum DemoTemplate {
    private static let made = Task {
        // Beside the programs, where it is made anew by each run.
        let path = ProgramFolder.own.program("browser-demo")
        if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
        return try await DemoFolder.make(.own, in: path)
    }

    static func copy(to path: String) async throws -> DemoFolder { try await self.made.value.copy(to: path) }
}
