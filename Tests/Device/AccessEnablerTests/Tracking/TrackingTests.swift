import AccessEnablerConstants
import Clientless
import Cryptography
import TestSupport
import Testing

@testable import AccessEnabler

private let hardware = ["unknown", "linux", "Linux"]

private func md5(_ text: String) -> String { Digest.md5(text.utf8).map { Hex.encode($0) } ?? "" }

@Suite("Tracking events", .signedIn, .timeLimit(.minutes(5)))
struct TrackingTests {
    /// The hash of the identifier in the kept token.
    private func guid(_ box: TestBox) throws -> String {
        let xml = try #require(try box.image()[requestor: TestBox.requestor, mvpd: "CableNova"].authn?.xml)
        return md5(try AuthenticationToken(xml: xml).guid)
    }

    @Test(.configured) func `T-316 TRACKING_AUTHENTICATION data have 7 entries`() async throws {
        _ = await application.enabler.authenticationStatus()
        try await application.signIn(service)
        _ = await application.enabler.authenticationStatus()
        _ = try await application.enabler.authorize("r")
        let tracked = application.recorder.tracked(TRACKING_AUTHENTICATION)
        // A failed check, the one before the login, its end, a check, and the one before the decision.
        #expect(tracked.map(\.count) == [7, 7, 7, 7, 7])
        #expect(tracked.map(\.first) == ["false", "false", "true", "true", "true"])
    }

    @Test(.box) func `T-317 TRACKING_AUTHORIZATION data have 9 entries`() async throws {
        let application = try await box.signedIn(service.set { $0.permitted = ["r"] })
        _ = try await application.enabler.authorize("r")
        _ = try await application.enabler.authorize("r")
        _ = try? await application.enabler.authorize("refused")
        service.answer("/adobe-services/authorize", with: .response(500), times: 5)
        _ = try? await application.enabler.authorize("failed")
        let tracked = application.recorder.tracked(TRACKING_AUTHORIZATION)
        #expect(tracked.map(\.count) == [9, 9, 9, 9])
        #expect(tracked.map(\.first) == ["true", "true", "false", "false"])
        #expect(tracked.allSatisfy { $0.suffix(3) == ["unknown", "linux", "Linux"] })
    }

    @Test(.box) func `T-318 TRACKING_GET_SELECTED_PROVIDER data have 4 entries`() async throws {
        for (hardware, type) in [("SetTopBox", "unknown"), ("Desktop", "computer")] {
            let service = try ScriptedService()
            let application = try await TestBox().application(service) {
                $0.clientInformation.primaryHardwareType = hardware
            }
            await application.enabler.selectProvider("SatOne")
            // Nobody is selected by these.
            await application.enabler.selectProvider("Unknown")
            await application.enabler.selectProvider(nil)
            let tracked = application.recorder.tracked(TRACKING_GET_SELECTED_PROVIDER)
            #expect(tracked == [["SatOne", type, "linux", "Linux"]])
            await application.enabler.shutDown()
        }
    }

    @Test func `T-319 T-320 A check answered from the cache has true at index 3, a fresh login false`() async throws {
        let facts = ["true", "CableNova", try self.guid(box)]
        #expect(application.recorder.tracked(TRACKING_AUTHENTICATION).last == facts + ["false"] + hardware)
        let before = application.recorder.tracked(TRACKING_AUTHENTICATION).count
        _ = await application.enabler.authenticationStatus()
        _ = await application.enabler.authenticate()
        _ = try await application.enabler.authorize("r")
        let tracked = application.recorder.tracked(TRACKING_AUTHENTICATION).dropFirst(before)
        #expect(Array(tracked) == Array(repeating: facts + ["true"] + hardware, count: 3))
    }

    @Test(.box) func `T-321 A failed check has false at index 0`() async throws {
        let application = try await TestBox().application(service)
        _ = await application.enabler.authenticationStatus()
        _ = try? await application.enabler.authorize("r")
        let expected = ["false", "", "", "false"] + hardware
        #expect(application.recorder.tracked(TRACKING_AUTHENTICATION) == [expected, expected])
        #expect(application.recorder.tracked(TRACKING_AUTHORIZATION).isEmpty)
    }

    @Test func `T-322 An authorization from the cache has true at index 3`() async throws {
        _ = try await application.enabler.authorize("r")
        _ = try await application.enabler.authorize("r")
        let guid = try self.guid(box)
        let expected = ["false", "true"].map { ["true", "CableNova", guid, $0, "", ""] + hardware }
        #expect(application.recorder.tracked(TRACKING_AUTHORIZATION) == expected)
    }

    @Test(.box) func `T-323 A denied authorization has a non-empty error at index 4`() async throws {
        let application = try await box.signedIn(service.set { $0.permitted = [] })
        _ = try? await application.enabler.authorize("r")
        let expected =
            ["false", "CableNova", try self.guid(box), "false", "Z100", "Your package lacks this channel."] + hardware
        #expect(application.recorder.tracked(TRACKING_AUTHORIZATION) == [expected])
    }

    @Test("A decision is counted once, whatever becomes of the media token, and none where none was asked for")
    func countedOnce() async throws {
        service.answer("/adobe-services/shortAuthorize", with: .response(500))
        _ = await application.failure(of: "r")
        #expect(application.recorder.tracked(TRACKING_AUTHORIZATION).map { [$0[0], $0[4]] } == [["true", ""]])
        // A resource that cannot be one is not sent.
        _ = await application.failure(of: "")
        #expect(application.recorder.codes.last == "Z130")
        #expect(application.recorder.tracked(TRACKING_AUTHORIZATION).count == 1)
    }

    @Test func `A decision that ran out on the server is counted again when it was asked for again`() async throws {
        _ = try await application.enabler.authorize("r")
        service.answer(
            "/adobe-services/shortAuthorize",
            with: .response(403, body: "<error><code>Z100</code><message>m</message><details>d</details></error>"))
        _ = try await application.enabler.authorize("r")
        let tracked = application.recorder.tracked(TRACKING_AUTHORIZATION)
        #expect(tracked.map { [$0[0], $0[3]] } == [["true", "false"], ["true", "true"], ["true", "false"]])
    }

    @Test(.box) func `T-324 The GUID entry is a 32-digit hexadecimal MD5`() async throws {
        // RFC 1321, appendix A.5
        #expect(TrackingData.hash("abc") == "900150983cd24fb0d6963f7d28e17f72")
        #expect(TrackingData.hash("message digest") == "f96b697d7cb7938d525a2f31aaf161d0")
        let service = try ScriptedService { $0.providers = [.init("CableNova"), .pass("DayPass")] }
        let application = try await TestBox().signedIn(service)
        _ = try await application.enabler.authorize("r")
        let guids = [
            application.recorder.tracked(TRACKING_AUTHENTICATION).last?[2],
            application.recorder.tracked(TRACKING_AUTHORIZATION).last?[2],
        ]
        for guid in guids { #expect(try #require(guid).wholeMatch(of: /[0-9a-f]{32}/) != nil) }
        #expect(guids[0] == guids[1])
        await application.enabler.shutDown()
        // A pass belongs to nobody but the device.
        let other = try await TestBox().application(service)
        other.enabler.setSelectedProvider("DayPass")
        await other.recorder.wait(for: "setAuthenticationStatus")
        let device = try await other.enabler.deviceID().text
        #expect(other.recorder.tracked(TRACKING_AUTHENTICATION).last?[2] == md5(device))
    }

    @Test(.configured) func `T-325 A delegate without sendTrackingData causes no failure`() async throws {
        let delegate = PlainDelegate()
        application.enabler.setDelegate(delegate)
        try await application.signIn(service)
        _ = try await application.enabler.authorize("r")
        #expect(delegate.outcomes == 1 && delegate.tokens == 1)
        #expect(application.recorder.tracked(TRACKING_AUTHENTICATION).isEmpty)
    }
}
