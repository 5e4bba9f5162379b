import FoundationEssentials
import HTTPClient
import RealPrograms

/// One Chromium with a profile of its own, driven over WebDriver.
final class BrowserWindow: Sendable {
    struct Look: Sendable, Hashable, CustomStringConvertible {
        enum Scheme: String, Sendable {
            case light, dark
        }

        var width: Int
        var height: Int
        var isPhone: Bool
        var scheme: Scheme = .light
        var hasJavaScript = true
        /// What the viewer set their browser to, in pixels.
        var textSize = 16
        var language = "en"
        /// Pixels of the screen for each of the page's; `nil` is what such a screen has.
        var scale: Int?

        static let desktop = Look(width: 1280, height: 800, isPhone: false)
        static let phone = Look(width: 390, height: 844, isPhone: true)
        static let smallestPhone = Look(width: 320, height: 568, isPhone: true)

        func with(_ scheme: Scheme) -> Look {
            var look = self
            look.scheme = scheme
            return look
        }

        var withoutJavaScript: Look {
            var look = self
            look.hasJavaScript = false
            return look
        }

        /// With letters twice as large, as a viewer sets them for every page.
        var withLargeText: Look {
            var look = self
            look.textSize = 32
            return look
        }

        func speaking(_ language: String) -> Look {
            var look = self
            look.language = language
            return look
        }

        func sized(_ width: Int, _ height: Int) -> Look {
            var look = self
            (look.width, look.height) = (width, height)
            return look
        }

        var description: String {
            "\(self.width)x\(self.height)-\(self.scheme)\(self.hasJavaScript ? "" : "-plain")"
                + (self.textSize == 16 ? "" : "-\(self.textSize)px")
                + (self.language == "en" ? "" : "-\(self.language)")
        }
    }

    let look: Look
    private let driver: Chromedriver
    private let session: String

    /// The key that names an element in the driver's answers (WebDriver 11).
    private static let elementKey = "element-6066-11e4-a52e-4f735466cecf"

    private init(_ driver: Chromedriver, session: String, look: Look) {
        self.driver = driver
        self.session = session
        self.look = look
    }

    static func with<Result: Sendable>(
        _ look: Look, of driver: Chromedriver, _ body: (BrowserWindow) async throws -> Result
    ) async throws -> Result {
        let answer = try await driver.command(.post, "/session", ["capabilities": ["alwaysMatch": capabilities(look)]])
        guard let session = answer["sessionId"]?.text else {
            throw Chromedriver.NotStarted(description: "the driver names no session")
        }
        let window = BrowserWindow(driver, session: session, look: look)
        do {
            try await window.prepare()
            let result = try await body(window)
            try await window.close()
            return result
        } catch {
            try? await window.close()
            throw error
        }
    }

    private static func capabilities(_ look: Look) -> JSON {
        var arguments: [JSON] = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost", "--force-color-profile=srgb",
        ]
        arguments.append(.text("--window-size=\(look.width),\(look.height)"))
        arguments.append(.text("--accept-lang=\(look.language)"))
        let preferences: JSON = [
            "webkit.webprefs.default_font_size": .number(Double(look.textSize)),
            "intl.accept_languages": .text(look.language),
        ]
        let options: JSON = ["args": .list(arguments), "prefs": preferences]
        return ["browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": ["browser": "ALL"]]
    }

    private func prepare() async throws {
        try await self.show(as: self.look)
        if !self.look.hasJavaScript { try await self.stopScripts() }
    }

    func stopScripts() async throws {
        try await self.devTools("Emulation.setScriptExecutionDisabled", ["value": true])
    }

    func show(as look: Look) async throws {
        // Not by the window's size: headless Chromium counts a title bar it does not draw, and no window is narrower than
        // 500. Not by the driver's own emulation of phones either: its taps never end where JavaScript is off.
        try await self.devTools(
            "Emulation.setDeviceMetricsOverride",
            [
                "width": .number(Double(look.width)), "height": .number(Double(look.height)),
                "deviceScaleFactor": .number(Double(look.scale ?? (look.isPhone ? 2 : 1))),
                "mobile": .bool(look.isPhone),
            ])
        try await self.emulate(["prefers-color-scheme": look.scheme.rawValue])
    }

    /// Lets the page find other preferences of its viewer than this machine has, by media feature.
    func emulate(_ features: [String: String]) async throws {
        let list = features.map { name, value -> JSON in ["name": .text(name), "value": .text(value)] }
        try await self.devTools("Emulation.setEmulatedMedia", ["features": .list(list)])
    }

    struct Line: Sendable, Hashable {
        var isOffline = false
        /// Milliseconds until an answer begins.
        var latency = 0
        /// Bytes a second in each direction; 0 is as fast as it goes.
        var throughput = 0

        /// Mobile data at the edge of a village: 400 ms, 400 kbit/s.
        static let slow = Line(latency: 400, throughput: 50_000)
        static let cut = Line(isOffline: true)
    }

    func connect(over line: Line) async throws {
        try await self.devTools("Network.enable", [:])
        let throughput = JSON.number(line.throughput == 0 ? -1 : Double(line.throughput))
        try await self.devTools(
            "Network.emulateNetworkConditions",
            [
                "offline": .bool(line.isOffline), "latency": .number(Double(line.latency)),
                "downloadThroughput": throughput, "uploadThroughput": throughput,
            ])
    }

    /// Sends every request as from `address`, for a server that trusts what this machine forwards.
    func claim(address: String) async throws {
        try await self.devTools("Network.enable", [:])
        try await self.devTools("Network.setExtraHTTPHeaders", ["headers": ["X-Forwarded-For": .text(address)]])
    }

    func forgetFiles() async throws { try await self.devTools("Network.clearBrowserCache", [:]) }

    func reload() async throws { _ = try await self.post("/refresh") }

    private func close() async throws { _ = try await self.driver.command(.delete, "/session/\(self.session)") }

    /// A command of the DevTools protocol, for what WebDriver has no word for.
    @discardableResult
    func devTools(_ command: String, _ parameters: JSON) async throws -> JSON {
        try await self.post("/goog/cdp/execute", ["cmd": .text(command), "params": parameters])
    }

    private func post(_ path: String, _ body: JSON = [:]) async throws -> JSON {
        try await self.driver.command(.post, "/session/\(self.session)\(path)", body)
    }

    private func get(_ path: String) async throws -> JSON {
        try await self.driver.command(.get, "/session/\(self.session)\(path)")
    }

    func open(_ url: String) async throws { _ = try await self.post("/url", ["url": .text(url)]) }

    func back() async throws { _ = try await self.post("/back") }

    var title: String { get async throws { try await self.get("/title").text ?? "" } }

    var url: String { get async throws { try await self.get("/url").text ?? "" } }

    func element(_ selector: String) async throws -> String {
        let found = try await self.post("/element", ["using": "css selector", "value": .text(selector)])
        guard let id = found[Self.elementKey]?.text else { throw WebDriverError(found) }
        return id
    }

    func elements(_ selector: String) async throws -> [String] {
        let found = try await self.post("/elements", ["using": "css selector", "value": .text(selector)])
        return found.list.compactMap { $0[Self.elementKey]?.text }
    }

    func click(_ selector: String) async throws {
        _ = try await self.post("/element/\(try await self.element(selector))/click")
    }

    /// Replaces what stands in a field.
    func type(_ text: String, into selector: String) async throws {
        let element = try await self.element(selector)
        _ = try await self.post("/element/\(element)/clear")
        _ = try await self.post("/element/\(element)/value", ["text": .text(text)])
    }

    func text(of selector: String) async throws -> String {
        try await self.get("/element/\(try await self.element(selector))/text").text ?? ""
    }

    func accessible(_ element: String) async throws -> (role: String, name: String) {
        let role = try await self.get("/element/\(element)/computedrole").text ?? ""
        let name = try await self.get("/element/\(element)/computedlabel").text ?? ""
        return (role, name)
    }

    func property(_ name: String, of element: String) async throws -> JSON {
        try await self.get("/element/\(element)/property/\(name)")
    }

    func press(_ keys: String) async throws {
        let strokes = keys.unicodeScalars.flatMap { key -> [JSON] in
            [["type": "keyDown", "value": .text(String(key))], ["type": "keyUp", "value": .text(String(key))]]
        }
        _ = try await self.post("/actions", ["actions": [["type": "key", "id": "keys", "actions": .list(strokes)]]])
    }

    func pressEnterForNextPage() async throws { try await self.nextPage { try await self.press(Key.enter) } }

    func clickForNextPage(_ selector: String) async throws {
        try await self.nextPage { try await self.click(selector) }
    }

    /// Waits until the page that was there before `action` is gone. The driver itself waits for the new one to be there,
    /// but only once it has heard that the old one goes, and forms go a moment after the click.
    private func nextPage(after action: () async throws -> Void) async throws {
        let old = try await self.element("html")
        try await action()
        try await eventually("next page") { () -> Void? in
            do {
                _ = try await self.property("tagName", of: old)
                return nil
            } catch is WebDriverError {
                // Stale, or in the middle of going: the driver has several words for it. One that is gone altogether
                // says so to the next command.
                return ()
            }
        }
    }

    /// Gives the window an authenticator in software whose viewer is there and agrees to whatever is asked (WebAuthn
    /// level 3, section 11).
    /// - Parameter keepsPasskeys: false for one that has to be told which credential is meant.
    func addAuthenticator(keepsPasskeys: Bool = true) async throws {
        _ = try await self.post(
            "/webauthn/authenticator",
            [
                "protocol": "ctap2", "transport": .text(keepsPasskeys ? "internal" : "usb"),
                "hasResidentKey": .bool(keepsPasskeys), "hasUserVerification": true, "isUserConsenting": true,
                "isUserVerified": true,
            ])
    }

    /// Runs the body of a function in the page.
    func evaluate(_ script: String) async throws -> JSON {
        try await self.post("/execute/sync", ["script": .text(script), "args": []])
    }

    /// Runs the body of a function that gives its result to the last of its arguments.
    func evaluateLater(_ script: String) async throws -> JSON {
        try await self.post("/execute/async", ["script": .text(script), "args": []])
    }

    /// The whole page as PNG, also what one has to scroll to.
    func screenshot() async throws -> [UInt8] {
        let parameters: JSON = ["format": "png", "captureBeyondViewport": true]
        let encoded = try await self.devTools("Page.captureScreenshot", parameters)["data"]?.text ?? ""
        return Data(base64Encoded: encoded).map { Array($0) } ?? []
    }

    /// The page as WebP in half its size: a few kilobytes, which can be kept. Of a page that is longer than any but a list
    /// of hundreds, the beginning.
    func smallScreenshot() async throws -> [UInt8] {
        let size = try await self.evaluate(
            "const root = document.documentElement; return [root.clientWidth, Math.min(1400, Math.max(root.scrollHeight, innerHeight))]"
        ).list.compactMap(\.number)
        let clip: JSON = [
            "x": 0, "y": 0, "width": .number(size.first ?? 0), "height": .number(size.last ?? 0), "scale": .number(0.5),
        ]
        let parameters: JSON = ["format": "webp", "quality": 30, "captureBeyondViewport": true, "clip": clip]
        let encoded = try await self.devTools("Page.captureScreenshot", parameters)["data"]?.text ?? ""
        return Data(base64Encoded: encoded).map { Array($0) } ?? []
    }

    /// What the console says since the last time it was asked: errors, and what the security policy stopped.
    func complaints() async throws -> [String] {
        try await self.post("/se/log", ["type": "browser"]).list
            .filter { $0["level"]?.text == "SEVERE" || $0["level"]?.text == "WARNING" }
            .compactMap { $0["message"]?.text }
    }
}

/// Keys as WebDriver says them (WebDriver 17.4.2).
enum Key {
    static let tab = "\u{E004}"
    static let enter = "\u{E007}"
}
