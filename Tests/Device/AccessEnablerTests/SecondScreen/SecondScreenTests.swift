import AccessEnablerConstants
import TestSupport
import Testing

@testable import AccessEnabler

extension ScriptedService {
    /// The codes of all polls, in order.
    fileprivate var polled: [String] {
        self.requests.filter { $0.path == sessionPath }.map { $0.form["reg_code"] ?? "" }
    }
}

@Suite("A login on the second screen", .box, .timeLimit(.minutes(5)))
struct SecondScreenTests {
    @Test("T-122 T-123 2S: the dictionary contains the code issued by the backend, at level success")
    func dictionary() async throws {
        service.answer(
            "/reggie/",
            with: .response(
                201,
                body: #"{"id":"x","code":"HJKLMNP","requestor":"NORTHSPORT","mvpd":"CableNova","generated":1,"#
                    + #""expires":1800001800000,"info":{"registrationURL":"https://tve.example.net/activate"}}"#))
        let application = try await box.showingCode(service)
        let expected = [
            "errorId": "REGCODE", "level": "success", "message": "HJKLMNP", "registrationCode": "HJKLMNP",
            "loginURL": "https://tve.example.net/activate", "expires": "1800001800000", "mvpd": "CableNova",
        ]
        #expect(application.recorder.statuses == [expected])
    }

    @Test(
        "T-121 T-124 2S: choosing a provider in a flow reports REGCODE, and polling starts without a further API call",
        .configured)
    func polls() async throws {
        await application.showPicker()
        #expect(application.recorder.statuses.isEmpty && service.count(of: "/reggie/") == 0)
        application.enabler.setSelectedProvider("CableNova")
        await application.recorder.wait(for: "REGCODE")
        #expect(application.recorder.codes == ["REGCODE"])
        await service.isAsked(sessionPath)
        #expect(service.polled == [application.recorder.statuses[0]["registrationCode"] ?? "-"])
    }

    @Test func `T-125 2S: navigateToUrl is never called`() async throws {
        let service = try ScriptedService {
            $0.providers = [.init("CableNova") { $0.metadata = #""secureBrowserRequired":true"# }, .init("SatOne")]
            $0.logoutURL = "https://tv.example/logout"
        }
        let presenter = Presenter()
        let application = try await box.application(service) { $0.userAgentPresenter = presenter }
        application.enabler.setOptions(["handleSVC": .bool(true)])
        for provider in ["CableNova", "SatOne"] {
            await application.showCode(provider)
            service.confirm(provider: provider)
            await application.recorder.wait(for: "setAuthenticationStatus", count: application.outcomes.count + 1)
            // The application may show it to the viewer, whose browser it is for.
            #expect(await application.enabler.signOut().providerLogoutURL == "https://tv.example/logout")
        }
        #expect(await application.enabler.signOut().providerLogoutURL == nil, "nothing is left to end")
        #expect(application.recorder.statuses("REGCODE").count == 2)
        #expect(!application.recorder.callbacks.contains { $0.name.hasPrefix("navigateToUrl") })
        #expect(presenter.opened.isEmpty)
    }

    @Test("T-126 2S: a completed login on the second screen reports status 1", arguments: [true, false])
    func completes(holds: Bool) async throws {
        let application = try await box.showingCode(service.set { $0.holds = holds })
        if holds { await service.isAsked(sessionPath) } else { await box.clock.isSlept(for: .seconds(5)) }
        #expect(application.outcomes.isEmpty)
        service.confirm()
        if !holds { box.clock.advance(by: .seconds(5)) }
        await application.recorder.wait(for: "setAuthenticationStatus")
        #expect(application.outcomes == [.authenticated])
    }

    @Test(.polling) func `T-127 2S: polling stops after success`() async throws {
        await application.confirmed(by: service)
        box.clock.advance(by: .seconds(600))
        try await application.roundTrip()
        #expect(service.polled.count == 2 && application.outcomes == [.authenticated])
    }

    @Test("T-128 T-129 T-136 2S: setSelectedProvider(nil) and logout stop polling", .polling, arguments: [true, false])
    func stops(isLogout: Bool) async throws {
        if isLogout {
            _ = await application.enabler.signOut()
        } else {
            await application.enabler.selectProvider(nil)
        }
        box.clock.advance(by: .seconds(600))
        try await application.roundTrip()
        #expect(service.polled.count == 1)
        let code = isLogout ? USER_NOT_AUTHENTICATED_ERROR : PROVIDER_NOT_SELECTED_ERROR
        #expect(application.outcomes == [.notAuthenticated(code)])
        #expect(application.recorder.codes.contains("N005") == !isLogout)
    }

    @Test("T-129 2S: setSelectedProvider(nil) during a held poll reports PROVIDER_NOT_SELECTED_ERROR", .showingCode)
    func cancelReports() async throws {
        await service.isAsked(sessionPath)
        application.enabler.setSelectedProvider(nil)
        await application.recorder.wait(for: "setAuthenticationStatus")
        try await application.roundTrip()
        #expect(application.outcomes == [.notAuthenticated(PROVIDER_NOT_SELECTED_ERROR)])
    }

    @Test(
        "T-130 T-131 2S: expiry of the code reports N130, and status 0 with GENERIC_AUTHENTICATION_ERROR",
        arguments: [true, false])
    func expires(serverTells: Bool) async throws {
        let application = try await box.polling(service.set { $0.codeExpires = 1_800_000_060_000 })
        if serverTells { service.setCodeState("expired") }
        box.clock.advance(by: .seconds(serverTells ? 5 : 61))
        await application.recorder.wait(for: "setAuthenticationStatus")
        #expect(application.recorder.statuses.last == ["errorId": "N130", "level": "error"])
        #expect(application.outcomes == [.notAuthenticated(GENERIC_AUTHENTICATION_ERROR)])
        // At its own end the box asks once more.
        #expect(service.polled.count == 2)
    }

    @Test(
        "T-132 T-133 2S: a failing code request reports REG500, and status 0 with GENERIC_AUTHENTICATION_ERROR",
        .configured,
        arguments: [ScriptedServer.Answer.response(500), .response(403), .response(201, body: "{}"), .close])
    func noCode(answer: ScriptedServer.Answer) async throws {
        await application.showPicker()
        // Often enough for every repetition of a request that did not get through.
        service.answer("/reggie/", with: answer, times: 10)
        application.enabler.setSelectedProvider("CableNova")
        await application.recorder.wait(for: "setAuthenticationStatus")
        #expect(application.recorder.statuses == [["errorId": "REG500", "level": "error"]])
        #expect(application.outcomes == [.notAuthenticated(GENERIC_AUTHENTICATION_ERROR)])
    }

    @Test(arguments: [ScriptedServer.Answer.response(503), .cutOff, .response(200, body: "<nonsense>")])
    func `T-134 2S: one failed poll does not end the flow`(answer: ScriptedServer.Answer) async throws {
        let application = try await box.application(service.set { $0.holds = false })
        service.answer(sessionPath, with: answer)
        await application.showCode()
        // Asked again after one interval.
        await box.clock.isSlept(for: .seconds(5))
        #expect(application.outcomes.isEmpty && service.polled.count == 1)
        await application.confirmed(by: service)
        #expect(application.outcomes == [.authenticated])
    }

    @Test(.polling) func `T-135 2S: a 429 answer lengthens the interval`() async throws {
        service.answer(sessionPath, with: .response(429), times: 5)
        // Doubled, and a twentieth more by chance; a minute at most.
        box.clock.advance(by: .seconds(5))
        for pause in [10.5, 21, 42, 60, 60] {
            await box.clock.isSlept(for: .milliseconds(Int(pause * 1000)))
            box.clock.advance(by: .milliseconds(Int(pause * 1000)))
        }
        // Answered again: the interval is what it was.
        await box.clock.isSlept(for: .seconds(5))
        #expect(service.polled.count == 7 && application.outcomes.isEmpty)
    }

    @Test func `T-137 2S: choosing another provider stops the old poll and issues a new code`() async throws {
        let application = try await box.polling(service, provider: "CableNova")
        await application.choose("SatOne")
        for _ in 0..<2 {
            await box.clock.isSlept(for: .seconds(5))
            box.clock.advance(by: .seconds(5))
        }
        await box.clock.isSlept(for: .seconds(5))
        let codes = application.recorder.statuses("REGCODE").compactMap { $0["registrationCode"] }
        #expect(codes.count == 2 && codes[0] != codes[1])
        #expect(service.polled == [codes[0], codes[1], codes[1], codes[1]])
        #expect(application.recorder.statuses("REGCODE").map { $0["mvpd"] } == ["CableNova", "SatOne"])
        #expect(application.outcomes.isEmpty)
    }

    @Test func `T-138 2S: the answer of a poll sent before a cancel is discarded`() async throws {
        let transport = SpiedTransport()
        let application = try await box.application(service) { $0.transport = transport }
        transport.hold(sessionPath)
        await application.showCode()
        service.confirm()
        // The token is on the box when the viewer cancels.
        _ = await transport.held.next()
        await application.enabler.selectProvider(nil)
        transport.release()
        try await application.roundTrip()
        #expect(application.outcomes == [.notAuthenticated(PROVIDER_NOT_SELECTED_ERROR)])
        #expect(try box.image().requestors[TestBox.requestor]?.mvpds.isEmpty ?? true)
    }
}
