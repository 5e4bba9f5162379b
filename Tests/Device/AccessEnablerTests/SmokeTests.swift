import AccessEnabler
import AccessEnablerConstants
import Testing

@Suite("An application on a box", .box, .timeLimit(.minutes(5)))
struct SmokeTests {
    @Test("pairs, authorizes and signs out", .signedIn)
    func whole() async throws {
        let token = try await application.enabler.authorize("r")
        #expect(token.token.hasPrefix("<signatureInfo>"))
        _ = await application.enabler.signOut()
        let status = await application.enabler.authenticationStatus()
        #expect(status == .notAuthenticated(code: USER_NOT_AUTHENTICATED_ERROR))
    }
}
