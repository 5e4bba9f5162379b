import RealPrograms
import Synchronization
import TestSupport
import Testing

@Suite("Taps from the QR code to the box, in Chromium", .serialized, .timeLimit(.minutes(5)))
struct TapTests {
    /// A viewer's thumb. What is typed is counted as such and not as the tap into its field.
    private final class Thumb: Sendable {
        private let window: BrowserWindow
        private let count = Mutex(0)

        var taps: Int { self.count.withLock { $0 } }

        init(_ window: BrowserWindow) { self.window = window }

        func tap(_ selector: String) async throws {
            self.count.withLock { $0 += 1 }
            try await self.window.clickForNextPage(selector)
        }
    }

    private static let enter = "main form button[type=submit]"
    private static let confirm = "button[name=decision][value=confirm]"

    private static let pick = "button[name=mvpd][value=\(DemoFolder.provider)]"

    @Test func `Three taps and a password lead to a box, and for a day one tap leads to the next`() async throws {
        try await PairingScene.play("taps", on: .phone) { scene in
            let thumb = Thumb(scene.window)
            try await scene.window.open(scene.code.url)
            #expect(try await scene.window.text(of: "main").contains(scene.code.text.prefix(3)))
            try await thumb.tap(Self.pick)
            try await scene.window.type(scene.viewer.account, into: "#account")
            try await scene.window.type(scene.viewer.password, into: "#password")
            try await thumb.tap(Self.enter)
            try await thumb.tap(Self.confirm)
            try await scene.box.end(with: 0)
            #expect(thumb.taps == 3)

            let folder = try TemporaryFolder()
            let next = try RunningBox.start(
                scene.server.demo, .own, state: folder.file("box.json"), ["pair", "--again"])
            let again = Thumb(scene.window)
            try await scene.window.open(try await next.code().url)
            #expect(try await scene.window.text(of: "h1") == "Is this TV in front of you?")
            try await again.tap(Self.confirm)
            try await next.end(with: 0)
            #expect(again.taps == 1)

            // Who is done, or wants another account, signs in.
            try await scene.window.clickForNextPage("form.aside button")
            let last = try RunningBox.start(
                scene.server.demo, .own, state: folder.file("last.json"), ["pair", "--again"])
            try await scene.window.open(try await last.code().url)
            #expect(try await scene.window.elements(Self.pick).count == 1)
            await last.kill()
        }
    }

    @Test func `Two taps lead there with a passkey`() async throws {
        try await PasskeyPagesTests.play("taps-passkey", on: .phone) { scene in
            let window = scene.window
            try await window.addAuthenticator()
            try await scene.walkToQuestion()
            try await scene.confirm()
            try await window.clickForNextPage(PasskeyPagesTests.make)
            try await window.clickForNextPage("form.aside button")

            let folder = try TemporaryFolder()
            let next = try RunningBox.start(
                scene.server.demo, .own, state: folder.file("box.json"), ["pair", "--again"])
            let thumb = Thumb(window)
            try await window.open(try await next.code().url)
            try await thumb.tap(Self.pick)
            try await PasskeyPagesTests.appear(Self.confirm, in: window)
            try await thumb.tap(Self.confirm)
            try await next.end(with: 0)
            #expect(thumb.taps == 2)
        }
    }
}
