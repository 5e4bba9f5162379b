import AccessEnabler
import AccessEnablerConstants
import Clientless
import TestSupport
import Testing

@Suite("The log", .box, .timeLimit(.minutes(5)))
struct LogTests {
    @Test func `T-330 log output contains no token`() async throws {
        let log = LogRecorder()
        let application = try box.start(service, statement: "the.software.statement") { $0.logger = log.logger }
        let enabler = application.enabler
        try await enabler.configure(requestorID: TestBox.requestor)
        try await application.signIn(service)
        let media = try await enabler.authorize("r").token
        let store = try box.folder.read("state/store.json")
        // Each way to fail that has words of a server at hand.
        let words = "leaked authentication token token-1"
        service.answer(
            "/adobe-services/authorize", with: .response(500, body: #"{"status":500,"message":"\#(words)"}"#))
        _ = try? await enabler.authorize("s")
        service.answer("/adobe-services/preauthorize", with: .response(200, body: words))
        _ = await enabler.preauthorizedResources(among: ["s"])
        service.answer("/api/v1/config/", with: .response(503, body: #"{"status":503,"message":"\#(words)"}"#))
        try? await enabler.configure(requestorID: TestBox.requestor)
        try await enabler.configure(requestorID: TestBox.requestor)
        enabler.handleExternalURL("\(ADOBEPASS_REDIRECT_URL)?token=secret-token")
        service.answer("/adobe-services/logout", with: .response(500, body: words))
        _ = await enabler.signOut()
        await application.taken()
        // The log was written, at its most talkative.
        #expect(log.count("a service provider failed") >= 1 && log.count("ends no navigation") >= 1)
        let deviceID = DeviceIdentity.deviceID(machineID: TestBox.machineID, scope: "com.example")
        let secrets = [
            "token-1", "secret-1", "the.software.statement", "secret-token", "signatureInfo", "guid-", deviceID.text,
            media, TestBox.machineID, application.recorder.statuses("REGCODE")[0]["message"] ?? "-",
        ]
        #expect(store.contains("guid-") && store.contains("secret-1") && store.contains("token-1"))
        for secret in secrets { #expect(!log.text.contains(secret), "\(secret)") }
    }
}
