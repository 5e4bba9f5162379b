import AccessEnabler
import AccessEnablerConstants
import Clientless
import TestSupport
import Testing

@Suite("Authorization and media tokens", .box, .timeLimit(.minutes(5)))
struct AuthorizationTokenTests {
    private let decision = "/adobe-services/authorize"
    private let media = "/adobe-services/shortAuthorize"

    /// A service whose decisions end an hour after the clock's start.
    private static func brief() throws -> ScriptedService {
        try ScriptedService { $0.permitExpires = "2027/01/15 09:00:00 GMT +0000" }
    }

    @Test("T-202 A permitted resource calls setToken with that resource", arguments: ["r", " north sport ", "<rss/>&"])
    func permitted(resource: String) async throws {
        let application = try await box.signedIn(service)
        application.enabler.checkAuthorization(resource)
        await application.settle()
        let tokens = application.recorder.callbacks.filter { $0.name == "setToken" }
        #expect(tokens.map { $0.arguments.last } == [resource])
        #expect(application.recorder.count("tokenRequestFailed") == 0)
    }

    @Test("T-203 T-204 With a valid cached authorization token only a media token request is sent", .signedIn)
    func cached() async throws {
        for call in 1...2 {
            _ = try await application.enabler.authorize("r")
            #expect(service.count(of: self.decision) == 1 && service.count(of: self.media) == call)
        }
        #expect(service.last(self.media)?.form["authz_token"] == (try box.image().authorizations.first))
    }

    @Test(.signedIn) func `T-205 Two calls for one resource make two media token requests`() async throws {
        application.enabler.checkAuthorization("r")
        application.enabler.getAuthorization("r")
        await application.settle()
        #expect(service.count(of: self.media) == 2)
        let tokens = application.recorder.callbacks.filter { $0.name == "setToken" }.map(\.arguments)
        #expect(tokens.count == 2 && Set(tokens).count == 2)
    }

    @Test(.signedIn) func `T-206 The media token is not in the store`() async throws {
        let token = try await application.enabler.authorize("r")
        let stored = try box.storedText
        #expect(stored.contains("simpleAuthorizationToken"))
        #expect(!stored.contains("shortAuthorizationToken") && !stored.contains("bWVkaWE="))
        #expect(token.token.contains("bWVkaWE=") && token.token.contains("shortAuthorizationToken"))
    }

    @Test("T-207 T-209 An expired authorization token leads to a new authorization request, whose token replaces it")
    func expired() async throws {
        let service = try Self.brief()
        let application = try await box.signedIn(service)
        _ = try await application.enabler.authorize("r")
        box.clock.advance(by: .seconds(3599))
        _ = try await application.enabler.authorize("r")
        #expect(service.count(of: self.decision) == 1)
        box.clock.advance(by: .seconds(1))
        service.set { $0.permitExpires = "2027/01/15 10:00:00 GMT +0000" }
        _ = try await application.enabler.authorize("r")
        #expect(service.count(of: self.decision) == 2)
        let kept = try box.image().authorizations
        #expect(kept.count == 1 && kept.first?.contains("2027/01/15 10:00:00 GMT +0000") == true)
        #expect(service.last(self.media)?.form["authz_token"] == kept.first)
    }

    @Test(
        "T-208 Authorization tokens of two resources are cached side by side", .signedIn,
        arguments: [("a", "b"), ("A", "a"), ("caf\u{E9}", "cafe\u{301}")])
    func sideBySide(one: String, other: String) async throws {
        for resource in [one, other, one, other] { _ = try await application.enabler.authorize(resource) }
        #expect(
            service.requests.filter { $0.path == self.decision }.map { Array($0.form["resource_id", default: ""].utf8) }
                == [Array(one.utf8), Array(other.utf8)])
        #expect(try box.image().authorizations.count == 2)
    }

    @Test("T-210 T-211 The authorization request contains the device ID and the authentication token", .signedIn)
    func deviceID() async throws {
        _ = try await application.enabler.authorize("r")
        let expected = DeviceIdentity.deviceID(machineID: TestBox.machineID, scope: "com.example").text
        let request = try #require(service.last(self.decision))
        #expect(request.form["device_id"] == expected && request.headers["ap_21"] == expected)
        let stored = try #require(try box.image().authentications.first)
        #expect(stored.contains("<simpleTokenMsoID>CableNova</simpleTokenMsoID>"))
        #expect(request.form["authentication_token"] == stored)
    }

    @Test("T-222 data of the authorization call reaches the backend", .signedIn, arguments: [true, false])
    func data(startsLogin: Bool) async throws {
        let data = ["rating": "PG & \"13\"", "a": "b"]
        if startsLogin {
            application.enabler.getAuthorization("r", withData: data)
        } else {
            application.enabler.checkAuthorization("r", withData: data)
        }
        await application.settle()
        #expect(service.last(self.decision)?.form["generic_data"] == #"{"a":"b","rating":"PG & \"13\""}"#)
    }

    @Test(.signedIn) func `T-223 The token in setToken is byte for byte what the backend sent`() async throws {
        let sent = "<signatureInfo>a+/=</signatureInfo><shortAuthorizationToken >\t&amp;u\u{308}\u{E9}  </x>\r\n \n"
        service.answer(self.media, with: .response(200, headers: ["Content-Type": "application/xml"], body: sent))
        application.enabler.checkAuthorization("r")
        await application.settle()
        let token = try #require(application.recorder.callbacks.last { $0.name == "setToken" }?.arguments.first)
        #expect(Array(token.utf8) == Array(sent.utf8))
    }

    @Test("T-224 No event or callback contains an authentication or authorization token", .configured)
    func secrecy() async throws {
        let events = application.enabler.events
        try await application.signIn(service)
        _ = try await application.enabler.authorize("r")
        let secrets = try box.image().authentications + box.image().authorizations
        #expect(secrets.count == 2)
        _ = await application.enabler.preauthorizedResources(among: ["r"])
        _ = await application.enabler.metadata(.authenticationExpiry)
        _ = await application.enabler.metadata(.authorizationExpiry(resource: "r"))
        service.answer(self.media, with: .response(500))
        _ = await application.failure(of: "r")
        service.answer(self.decision, with: .response(401, body: "<error><code>SEC412</code></error>"))
        _ = await application.failure(of: "other")
        _ = await application.enabler.signOut()
        await application.enabler.shutDown()
        var texts = application.recorder.everything.map(\.description)
        texts += application.recorder.statuses.flatMap(\.values)
        for await event in events {
            var text = ""
            dump(event, to: &text)
            texts.append(text)
        }
        #expect(texts.contains { $0.contains("shortAuthorizationToken") })
        for mark in secrets + ["simpleAuthenticationToken", "simpleAuthorizationToken", "c2lnbmVk"] {
            #expect(!texts.contains { $0.contains(mark) })
        }
    }

    @Test(
        "T-224 No token is in the events of a browser, of the platform's dialog, of a pass, or in answers of other calls"
    )
    func secrecyElsewhere() async throws {
        var texts: [String] = []
        func note(_ value: Any) {
            var text = ""
            dump(value, to: &text)
            texts.append(text)
        }
        // In a browser, with a pass after it.
        let service = try ScriptedService {
            $0.providers = [.init("CableNova"), .pass("DayPass")]
            $0.logoutURL = "https://tv.example/logout"
        }
        let application = try await box.inBrowser(service)
        let events = application.enabler.events
        _ = try await application.openPage()
        service.confirm()
        note(await application.enabler.completeNavigation(ADOBEPASS_REDIRECT_URL))
        note(await application.enabler.preauthorize(PreauthorizeRequest(resources: ["r"])))
        note(await application.enabler.metadata(.user(name: "zip")))
        note(await application.enabler.metadata(.authenticationExpiry))
        var secrets = try box.image().authentications
        async let end = application.enabler.signOut()
        await application.recorder.wait(for: "navigateToUrl", count: 2)
        note(await application.enabler.completeNavigation(ADOBEPASS_REDIRECT_URL))
        note(await end)
        await application.enabler.selectProvider("DayPass")
        await application.recorder.wait(for: "N011")
        await application.settle()
        secrets += try box.image().authentications
        await application.enabler.shutDown()
        // On the platform.
        let stage = try await PlatformStage().configured()
        let platformEvents = stage.enabler.events
        try await stage.dialog().choose("CableNova")
        await stage.recorder.wait(for: "setAuthenticationStatus")
        secrets += try stage.box.image().authentications
        await stage.end()
        for stream in [events, platformEvents] { for await event in stream { note(event) } }
        for recorder in [application.recorder, stage.recorder] { texts += recorder.everything.map(\.description) }
        #expect(secrets.count == 3)
        #expect(texts.contains { $0.contains("navigate") } && texts.contains { $0.contains("presentTvProviderDialog") })
        for mark in secrets + ["simpleAuthenticationToken", "simpleAuthorizationToken", "c2lnbmVk"] {
            #expect(!texts.contains { $0.contains(mark) })
        }
    }
}
