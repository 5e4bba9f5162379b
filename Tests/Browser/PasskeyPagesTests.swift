import RealPrograms
import TestSupport
import Testing

@Suite("Passkeys, in Chromium", .serialized, .timeLimit(.minutes(5)))
struct PasskeyPagesTests {
    static let make = "form[data-passkey=make]:not([hidden]) button"
    static let use = "form[data-passkey=use]:not([hidden]) button"

    /// Plays with a server whose public address is a name: browsers keep no passkeys for a number.
    static func play(
        _ story: String, on look: BrowserWindow.Look, configuring change: (inout JSON) -> Void = { _ in },
        _ body: @Sendable (PairingScene) async throws -> Void
    ) async throws {
        try await PairingScene.play(
            story, on: look,
            configuring: { settings in
                change(&settings)
                let url = settings["server"]?["publicURL"]?.text ?? ""
                settings["server"]?["publicURL"] = .text(url.replacing("127.0.0.1", with: "localhost"))
            },
            configuringBox: { settings in
                let url = settings["activationURL"]?.text ?? ""
                settings["activationURL"] = .text(url.replacing("127.0.0.1", with: "localhost"))
            }, body)
    }

    @Test("One is added after the password, and signs the TV in again", arguments: [true, false])
    func wholeWay(keepsPasskeys: Bool) async throws {
        try await Self.play(keepsPasskeys ? "passkey" : "passkey-key", on: .phone) { scene in
            let window = scene.window
            try await window.addAuthenticator(keepsPasskeys: keepsPasskeys)
            try await window.open(scene.code.url)
            try await scene.pickProvider()
            try await scene.inspection.look(at: "1-sign-in")
            // The name is in its field the next time, and the browser is asked by it.
            if keepsPasskeys { try await window.click("input[name=remember]") }
            try await scene.signIn()
            try await scene.decide(.confirm)
            try await scene.box.end(with: 0)
            try await scene.inspection.look(at: "2-offer")
            if let axe = Axe.script { #expect(try await window.evaluateLater(axe).list.isEmpty, "axe finds nothing") }
            try await window.clickForNextPage(Self.make)
            try await scene.inspection.look(at: "3-added")
            #expect(try await window.elements(".note.near[role=status]").count == 1)
            #expect(try await window.elements("form[data-passkey]").isEmpty)

            let folder = try TemporaryFolder()
            // The same machine, which is signed in already.
            let next = try RunningBox.start(
                scene.server.demo, .own, state: folder.file("box.json"), ["pair", "--again"])
            try await window.clickForNextPage("form.aside button")
            let code = try await next.code()
            try await window.open(code.url)
            try await scene.pickProvider()
            if !keepsPasskeys {
                // An authenticator that keeps no list has to be asked for what the account has.
                try await window.type(scene.viewer.account, into: "#account")
                try await window.clickForNextPage(Self.use)
            }
            try await Self.appear("button[name=decision]", in: window)
            try await scene.inspection.look(at: "4-confirm")
            try await scene.decide(.confirm)
            try await next.end(with: 0)
            #expect(try await window.elements("form[data-passkey]").isEmpty)
            let mark = try await window.evaluate("return localStorage.getItem('latchkey-passkey')").text
            #expect((mark != nil) == keepsPasskeys, "it is asked for without a tap the next time, too")
        }
    }

    /// Waits for what comes without a tap.
    static func appear(_ selector: String, in window: BrowserWindow) async throws {
        try await eventually(selector) { () -> Void? in
            try await window.elements(selector).isEmpty ? nil : ()
        }
    }

    @Test func `Whoever has none is told so, and signs in with the password`() async throws {
        try await Self.play("passkey-none", on: .desktop) { scene in
            let window = scene.window
            try await window.addAuthenticator()
            try await window.open(scene.code.url)
            try await scene.pickProvider()
            try await window.click(Self.use)
            try await eventually("a sentence") { () -> Void? in
                try await window.elements("form[data-passkey] .alert:not([hidden])").isEmpty ? nil : ()
            }
            try await scene.inspection.look(at: "told")
            try await scene.signIn()
            try await scene.confirm()
        }
    }

    @Test func `Without JavaScript nothing is said of them, and the password is the way in`() async throws {
        try await Self.play("passkey-plain", on: .phone.withoutJavaScript) { scene in
            let window = scene.window
            try await window.open(scene.code.url)
            try await scene.pickProvider()
            #expect(try await window.elements(Self.use).isEmpty)
            try await scene.signIn()
            try await scene.decide(.confirm)
            #expect(try await window.elements(Self.make).isEmpty)
            try await scene.box.end(with: 0)
        }
    }
}
