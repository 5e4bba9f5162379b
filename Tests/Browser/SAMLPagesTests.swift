import RealPrograms
import TestSupport
import Testing

@Suite("The pages of a real TV provider with SAML, in Chromium", .serialized, .timeLimit(.minutes(5)))
struct SAMLPagesTests {
    @Test("From the QR code over the provider to a signed-in box; declined once; signed out at the provider")
    func wholeLife() async throws {
        try await ProviderScene<RunningSAMLProvider>.play("saml", on: .phone) { scene in
            let declined = try scene.startPairing()
            try await scene.leave(try await declined.code())
            try await scene.signIn(pressing: "#submit_button")
            try await scene.question()
            try await scene.window.decide(.decline)
            try await declined.end(with: 4)
            #expect(try await scene.box("status").end == .exited(2))

            // The provider knows the browser now.
            let box = try scene.startPairing()
            try await scene.leave(try await box.code())
            try await scene.question()
            try await scene.window.decide(.confirm)
            try await box.end(with: 0)
            #expect(try await scene.box("authorize", "NS-KIDS").end == .exited(0))
            // The viewer signs out at the provider: it tells the server, and the box hears of it.
            let address = "\(scene.provider.url)/saml2/idp/SingleLogoutService.php?ReturnTo=\(scene.provider.url)/"
            try await scene.window.open(address)
            try await scene.until("the end of the sign-in") { try await scene.box("status").end == .exited(2) }
            #expect(try await scene.window.url.hasPrefix(scene.provider.url))
        }
    }
}
