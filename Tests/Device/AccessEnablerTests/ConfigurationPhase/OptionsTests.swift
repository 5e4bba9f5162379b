import AccessEnabler
import AccessEnablerConstants
import FoundationEssentials
import TestSupport
import Testing

@Suite("setOptions", .signedIn, .timeLimit(.minutes(5)))
struct OptionsTests {
    private static let configuration = "/api/v1/config/"
    private static let authorize = "/adobe-services/authorize"

    @Test(.started) func `T-026 applicationProfile is part of every backend call after it was set`() async throws {
        application.enabler.setOptions(["applicationProfile": .string("livingRoom")])
        try await application.enabler.configure(requestorID: TestBox.requestor)
        try await application.signIn(service)
        _ = try await application.enabler.authorize("r")
        _ = await application.enabler.preauthorizedResources(among: ["r"])
        _ = await application.enabler.signOut()
        application.enabler.setSelectedProvider("SatOne")
        application.enabler.getAuthentication()
        await application.recorder.wait(for: "REGCODE", count: 2)
        _ = await application.enabler.signOut()
        let without = service.requests.filter { $0.query["applicationProfile"] != "livingRoom" }
        #expect(without.map(\.path) == [])
        #expect(service.requests.count >= 10)
    }

    @Test("T-025 T-027 visitorID is part of the authorization request, and what a later setOptions changed of the next")
    func changed() async throws {
        application.enabler.setOptions(["applicationProfile": .string("first"), "visitorID": .string("4711")])
        _ = try await application.enabler.authorize("r")
        application.enabler.setOptions(["applicationProfile": .string("second")])
        _ = try await application.enabler.authorize("s")
        let queries = service.requests.filter { $0.path == Self.authorize }.map(\.query)
        #expect(queries.map { $0["applicationProfile"] } == ["first", "second"])
        #expect(queries.map { $0["ap_vi"] } == ["4711", "4711"])
    }

    @Test(.box) func `T-028 setOptions during the configuration phase is not delayed`() async throws {
        let (application, held) = try await box.configuring(service, at: "/o/client/token")
        application.enabler.setOptions(["applicationProfile": .string("late")])
        held.open()
        await application.recorder.wait(for: "setRequestorComplete")
        #expect(service.last("/o/client/token")?.query["applicationProfile"] == nil)
        #expect(service.last(Self.configuration)?.query["applicationProfile"] == "late")
    }

    @Test(.started) func `T-029 device_info replaces the built-in client information entirely`() async throws {
        application.enabler.setOptions(["device_info": .string("eyJtb2RlbCI6IkJveCJ9")])
        try await application.enabler.configure(requestorID: TestBox.requestor)
        #expect(service.requests.map { $0.headers["x-device-info"] }.allSatisfy { $0 == "eyJtb2RlbCI6IkJveCJ9" })
        #expect(service.requests.allSatisfy { $0.query["device_info"] == nil })
    }

    @Test(.box) func `T-030 without device_info the client information contains model and osName`() async throws {
        struct Information: Decodable {
            let model: String
            let osName: String
        }
        _ = try await box.application(service) { $0.clientInformation.model = "Nova 4" }
        for request in service.requests {
            let data = try #require(request.headers["x-device-info"].flatMap { Data(base64Encoded: $0) })
            let information = try JSONDecoder().decode(Information.self, from: data)
            #expect(information.model == "Nova 4" && information.osName == "Linux")
        }
        #expect(service.requests.count == 3)
    }

    @Test(.box) func `T-031 handleSVC is sent with no call, page or header; other options go with each`() async throws {
        for interaction in [AccessEnabler.Configuration.Interaction.secondScreen, .userAgent] {
            let service = try ScriptedService { $0.logoutURL = "https://tv.example/logout" }
            let box = try TestBox()
            let application = try box.start(service) { $0.interaction = interaction }
            application.enabler.setOptions([
                "handleSVC": .bool(true), "other": .bool(true), "mso_id": .string("Evil"), "redirect_url": .string("x"),
            ])
            try await application.enabler.configure(requestorID: TestBox.requestor)
            var pages: [String] = []
            if interaction == .userAgent {
                pages.append(try await application.openPage())
                service.confirm()
                _ = await application.enabler.completeNavigation(ADOBEPASS_REDIRECT_URL)
            } else {
                try await application.signIn(service)
            }
            _ = try await application.enabler.authorize("r")
            _ = await application.enabler.preauthorizedResources(among: ["r"])
            if interaction == .secondScreen { _ = await application.enabler.signOut() }
            let paths = Set(service.requests.map(\.path))
            for path in ["authorize", "shortAuthorize", "preauthorize", "session"] {
                #expect(paths.contains("/adobe-services/\(path)"))
            }
            #expect(service.requests.allSatisfy { $0.query["handleSVC"] == nil && $0.query["other"] == "true" })
            #expect(!service.requests.contains { $0.text.contains("handleSVC") })
            // The page is the call of a browser. An option named like one of its parameters does not count.
            for page in pages {
                #expect(!page.contains("handleSVC") && page.contains("other=true") && !page.contains("Evil"))
                #expect(page.components(separatedBy: "redirect_url=").count == 2)
            }
            await application.enabler.shutDown()
        }
    }

    @Test(
        "T-024 T-032 visitorID set before setRequestor is in its request; a second setOptions keeps what it leaves out",
        .started)
    func merges() async throws {
        application.enabler.setOptions(["applicationProfile": .string("kept"), "visitorID": .string("old")])
        application.enabler.setOptions(["visitorID": .string("4711&a b")])
        try await application.enabler.configure(requestorID: TestBox.requestor)
        let query = try #require(service.last(Self.configuration)?.query)
        #expect(query["applicationProfile"] == "kept" && query["ap_vi"] == "4711&a b")
    }

    @Test(.started) func `T-033 a null value removes the option from later calls`() async throws {
        application.enabler.setOptions([
            "applicationProfile": .string("gone"), "visitorID": .string("gone"), "device_info": .string("gone"),
        ])
        try await application.enabler.configure(requestorID: TestBox.requestor)
        #expect(service.last(Self.configuration)?.query["applicationProfile"] == "gone")
        application.enabler.setOptions(["applicationProfile": .null, "visitorID": .null, "device_info": .null])
        try await application.enabler.configure(requestorID: TestBox.requestor)
        let request = try #require(service.last(Self.configuration))
        #expect(request.query == [:] && request.headers["x-device-info"] != "gone")
    }

    @Test(.started) func `T-034 an unknown option key is sent`() async throws {
        application.enabler.setOptions(["x-experiment": .string("ä=1"), "flag": .bool(false)])
        try await application.enabler.configure(requestorID: TestBox.requestor)
        #expect(service.last(Self.configuration)?.query == ["x-experiment": "ä=1", "flag": "false"])
    }

    @Test(.started) func `an option never stands in for a parameter of a call`() async throws {
        application.enabler.setOptions(["grant_type": .string("password"), "resource_id": .string("other")])
        try await application.enabler.configure(requestorID: TestBox.requestor)
        try await application.signIn(service)
        _ = try await application.enabler.authorize("r")
        let token = try #require(service.last("/o/client/token"))
        #expect(token.query == ["resource_id": "other"] && token.form["grant_type"] == "client_credentials")
        let permit = try #require(service.last(Self.authorize))
        #expect(permit.query == ["grant_type": "password"] && permit.form["resource_id"] == "r")
    }

    @Test(.box) func `an option never stands in for a parameter of the login page`() async throws {
        let application = try await box.inBrowser(service)
        application.enabler.setOptions([
            "reg_code": "other", "redirect_url": "https://elsewhere.example", "applicationProfile": "p",
        ])
        let url = try await application.openPage()
        #expect(query(of: url)["redirect_url"] == AccessEnabler.RedirectURL.adobePass)
        #expect(query(of: url)["reg_code"] != "other" && query(of: url)["applicationProfile"] == "p")
        for name in ["reg_code=", "redirect_url="] { #expect(url.split(separator: name).count == 2) }
    }
}
