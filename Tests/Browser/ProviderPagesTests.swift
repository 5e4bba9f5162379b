import RealPrograms
import TestSupport
import Testing

private typealias Scene = ProviderScene<RunningOpenIDProvider>

extension Scene {
    fileprivate func signIn() async throws { try await self.signIn(pressing: "#loginbut") }

    fileprivate func signOut() async throws {
        try await self.window.open(
            "\(self.provider.url)/login.html?client_id=latchkey&scope=openid&prompt=single_logout")
        try await self.appear("button.btn-danger:not(.dropdown-toggle)")
        try await self.window.click("button.btn-danger:not(.dropdown-toggle)")
        try await self.appear("button.btn-primary")
    }

    /// Lets the provider send the viewer back to us.
    fileprivate func goOn() async throws {
        try await self.appear("button.btn-success")
        try await self.window.click("button.btn-success")
        try await self.question()
    }
}

@Suite("A real TV provider's pages, in Chromium", .serialized, .timeLimit(.minutes(5)))
struct ProviderPagesTests {
    @Test(
        "From the QR code over the provider to a signed-in box; declined once; signed out on the box and at the provider",
        arguments: [.desktop, .phone] as [BrowserWindow.Look])
    func wholeLife(_ look: BrowserWindow.Look) async throws {
        try await Scene.play("provider", on: look) { scene in
            let declined = try scene.startPairing()
            try await scene.leave(try await declined.code())
            try await scene.signIn()
            try await scene.goOn()
            try await scene.inspection.look(at: "question", after: scene.provider.url)
            try await scene.window.decide(.decline)
            try await scene.inspection.look(at: "declined")
            try await declined.end(with: 4)
            #expect(try await scene.box("status").end == .exited(2))

            // The provider knows the browser now.
            let box = try scene.startPairing()
            try await scene.leave(try await box.code())
            try await scene.goOn()
            try await scene.window.decide(.confirm)
            try await scene.inspection.look(at: "done", after: scene.provider.url)
            try await box.end(with: 0)
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
            try await again.end(with: 0)
        }
    }
}
