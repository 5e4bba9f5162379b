import AccessEnablerConstants
import Lending
import TestSupport
import Testing

@testable import AccessEnabler

extension Trait where Self == Lending<LentBox> {
    /// With an application whose requestor has passes.
    fileprivate static var passes: Self {
        .making { lent in
            lent.service.set { $0.providers = TempPassTests.passes }
            return try await lent.box.application(lent.service)
        }
    }
}

private let temporaryPath = "/adobe-services/temporary"

@Suite("A TempPass", .passes, .timeLimit(.minutes(5)))
struct TempPassTests {
    fileprivate static let passes = [
        ScriptedProvider("CableNova"), .pass("DayPass"), .pass("Promo", promotional: true),
    ]

    @Test("T-306 T-307 T-308 setSelectedProvider with a basic one authenticates, shows nothing, and reports N011")
    func nothingShown() async throws {
        for interaction in [AccessEnabler.Configuration.Interaction.secondScreen, .userAgent] {
            let service = try ScriptedService { $0.providers = Self.passes }
            let application = try await TestBox().application(service) { $0.interaction = interaction }
            application.enabler.setSelectedProvider("DayPass")
            await application.recorder.wait(for: "setAuthenticationStatus")
            try await application.roundTrip()
            #expect(
                Set(application.recorder.callbacks.map(\.name))
                    == ["setRequestorComplete", "setAuthenticationStatus", "selectedProvider"])
            #expect(application.recorder.statuses == [["errorId": "N011", "level": "info"]])
            #expect(application.outcomes == [.authenticated] && service.count(of: "/reggie/") == 0)
            #expect(await application.enabler.authenticationStatus() == .authenticated(mvpdID: "DayPass"))
            #expect(service.last(temporaryPath)?.form["mso_id"] == "DayPass")
            #expect(application.recorder.tracked(TRACKING_GET_SELECTED_PROVIDER).map(\.first) == ["DayPass"])
        }
    }

    @Test func `T-309 setSelectedProvider with a Promotional TempPass alone does not authenticate`() async throws {
        await application.enabler.selectProvider("Promo")
        try await application.roundTrip()
        #expect(application.outcomes.isEmpty && service.count(of: temporaryPath) == 0)
        #expect(await application.enabler.authenticationStatus() == nobody)
    }

    @Test(
        "T-310 T-311 Promotional TempPass authenticates with data on getAuthentication; without it the login fails",
        arguments: [true, false], [["email": "5ac4"], nil])
    func promotional(chosenBefore: Bool, data: [String: String]?) async throws {
        if chosenBefore { application.enabler.setSelectedProvider("Promo") }
        application.enabler.getAuthentication(false, withData: data)
        if !chosenBefore {
            await application.recorder.wait(for: "displayProviderDialog")
            application.enabler.setSelectedProvider("Promo")
        }
        await application.recorder.wait(for: "setAuthenticationStatus")
        #expect(application.recorder.count("displayProviderDialog") == (chosenBefore ? 0 : 1))
        guard data != nil else {
            #expect(application.outcomes == [.notAuthenticated(GENERIC_AUTHENTICATION_ERROR)])
            #expect(service.count(of: temporaryPath) == 0)
            return
        }
        #expect(application.outcomes == [.authenticated])
        #expect(service.last(temporaryPath)?.form["mso_id"] == "Promo")
        #expect(service.last(temporaryPath)?.form["generic_data"] == #"{"email":"5ac4"}"#)
        #expect(await application.enabler.authenticationStatus() == .authenticated(mvpdID: "Promo"))
    }

    @Test func `T-312 An expired TempPass reports N111`() async throws {
        service.set { $0.exhausted = ["DayPass"] }
        application.enabler.setSelectedProvider("DayPass")
        await application.recorder.wait(for: "setAuthenticationStatus")
        #expect(application.recorder.statuses == [["errorId": "N111", "level": "warning"]])
        #expect(application.outcomes == [.notAuthenticated(GENERIC_AUTHENTICATION_ERROR)])
    }

    @Test func `An authorization by a TempPass that expired meanwhile reports N111, and is refused`() async throws {
        for isError in [true, false] {
            let service = try ScriptedService { $0.providers = Self.passes }
            let application = try await TestBox().application(service)
            application.enabler.setSelectedProvider("DayPass")
            await application.recorder.wait(for: "setAuthenticationStatus")
            let error = "<error><code>N111</code><message>No</message><details>Used up.</details></error>"
            service.answer("/adobe-services/authorize", with: .response(isError ? 403 : 200, body: error))
            let failure = await #expect(throws: AccessEnabler.AuthorizationFailure.self) {
                try await application.enabler.authorize("r")
            }
            #expect(failure?.code == USER_NOT_AUTHORIZED_ERROR)
            #expect(application.recorder.codes == ["N011", "N111"])
            #expect(application.recorder.statuses.last?["level"] == "warning")
            await application.enabler.shutDown()
        }
    }

    @Test func `T-313 An authorization by TempPass reports Z011, and the pass ends no sign-in`() async throws {
        try await application.signIn(service)
        application.enabler.setSelectedProvider("DayPass")
        await application.recorder.wait(for: "setAuthenticationStatus", count: 2)
        #expect(try box.image().mvpds() == ["CableNova", "DayPass"])
        _ = try await application.enabler.authorize("channel")
        #expect(application.recorder.statuses("Z011") == [["errorId": "Z011", "level": "info", "resource": "channel"]])
        #expect(application.recorder.count("setToken") == 1)
    }
}

@Suite("A degraded MVPD", .box, .timeLimit(.minutes(5)))
struct DegradationTests {
    @Test("T-314 Authenticate-all degradation reports N010; once the rule is over, a code", arguments: [true, false])
    func skippedLogin(isInForce: Bool) async throws {
        let service = try ScriptedService {
            $0.providers = [.init("CableNova") { $0.metadata = #""degradation":"authn-all""# }]
        }
        let application = try await box.application(service)
        await application.showPicker()
        guard isInForce else {
            let error = "<error><code>400</code><message>Invalid mso_id</message><details>d</details></error>"
            service.answer(temporaryPath, with: .response(400, body: error))
            return await application.choose()
        }
        application.enabler.setSelectedProvider("CableNova")
        await application.recorder.wait(for: "setAuthenticationStatus")
        #expect(application.recorder.statuses == [["errorId": "N010", "level": "warning"]])
        #expect(application.outcomes == [.authenticated])
        // Without the viewer.
        #expect(service.count(of: "/reggie/") == 0)
    }

    @Test func `T-315 Authorize-none degradation reports Z169`() async throws {
        let service = try ScriptedService {
            $0.providers = [.init("CableNova") { $0.metadata = #""degradation":"authz-none""# }]
            $0.permitted = []
            $0.refusal = ("Z169", "Nothing may be watched at the moment.")
        }
        let application = try await box.signedIn(service)
        let failure = await #expect(throws: AccessEnabler.AuthorizationFailure.self) {
            try await application.enabler.authorize("channel")
        }
        #expect(failure?.code == USER_NOT_AUTHORIZED_ERROR)
        let expected = [
            "errorId": "Z169", "level": "error", "resource": "channel",
            "message": "Nothing may be watched at the moment.",
        ]
        #expect(application.recorder.statuses("Z169") == [expected])
    }

    @Test("T-109 Changing the provider while a pass is being kept leaves nothing of it to the next attempt")
    func changedWhileStoring() async throws {
        let store = SpiedStore()
        let service = try ScriptedService { $0.providers = [.init("CableNova"), .pass("DayPass")] }
        let application = try await box.application(service) { $0.tokenStore = store }
        await application.showPicker()
        let held = service.hold("/adobe-services/temporary")
        application.enabler.setSelectedProvider("DayPass")
        await held.reached()
        store.hold(.before)
        held.open()
        _ = await store.held.next()
        application.enabler.setSelectedProvider("CableNova")
        await application.recorder.wait(for: "REGCODE")
        store.release()
        service.confirm()
        await application.recorder.wait(for: "setAuthenticationStatus")
        #expect(application.outcomes == [.authenticated] && !application.recorder.codes.contains("N011"))
    }
}
