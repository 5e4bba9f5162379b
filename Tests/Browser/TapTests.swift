import RealPrograms
import Synchronization
import TestSupport
import Testing

/// How much a viewer has to do.
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

        /// A tap that stays on the page.
        func tick(_ selector: String) async throws {
            self.count.withLock { $0 += 1 }
            try await self.window.click(selector)
        }
    }

    private static let enter = "main form button[type=submit]"
    private static let confirm = "button[name=decision][value=confirm]"

    @Test("Three taps and a password lead to a box; with a fourth, the first time, the name is typed once")
    func password() async throws {
        try await PairingScene.play(
            "taps", on: .phone, configuring: { PairingScene.offerLocalAccountsAlone(in: &$0) }
        ) { scene in
            let thumb = Thumb(scene.window)
            try await scene.window.open(scene.code.url)
            try await thumb.tap(Self.enter)
            try await scene.window.type(scene.viewer.account, into: "#account")
            try await scene.window.type(scene.viewer.password, into: "#password")
            try await thumb.tick("input[name=remember]")
            try await thumb.tap(Self.enter)
            try await thumb.tap(Self.confirm)
            #expect(await scene.box.end() == .exited(0))
            #expect(thumb.taps == 4)

            let folder = try TemporaryFolder()
            let next = try RunningBox.start(
                scene.server.demo, .own, state: folder.file("box.json"), ["pair", "--again"])
            let again = Thumb(scene.window)
            try await scene.window.open(try await next.code().url)
            try await again.tap(Self.enter)
            #expect(try await scene.window.property("value", of: scene.window.element("#account")).text != "")
            try await scene.window.type(scene.viewer.password, into: "#password")
            try await again.tap(Self.enter)
            try await again.tap(Self.confirm)
            #expect(await next.end() == .exited(0))
            #expect(again.taps == 3)
        }
    }

    @Test("Three taps lead there with a passkey")
    func passkey() async throws {
        try await PasskeyPagesTests.play(
            "taps-passkey", on: .phone, configuring: { PairingScene.offerLocalAccountsAlone(in: &$0) }
        ) { scene in
            let window = scene.window
            try await window.addAuthenticator()
            try await window.open(scene.code.url)
            try await scene.enterCode()
            try await scene.signIn()
            try await scene.decide(.confirm)
            #expect(await scene.box.end() == .exited(0))
            try await window.clickForNextPage(PasskeyPagesTests.make)

            let folder = try TemporaryFolder()
            let next = try RunningBox.start(
                scene.server.demo, .own, state: folder.file("box.json"), ["pair", "--again"])
            let thumb = Thumb(window)
            try await window.open(try await next.code().url)
            try await thumb.tap(Self.enter)
            try await thumb.tap(PasskeyPagesTests.use)
            try await thumb.tap(Self.confirm)
            #expect(await next.end() == .exited(0))
            #expect(thumb.taps <= 3)
        }
    }
}
