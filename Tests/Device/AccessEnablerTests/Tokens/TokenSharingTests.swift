import AccessEnabler
import Clientless
import TestSupport
import Testing

@Suite("Tokens in a store", .box, .timeLimit(.minutes(5)))
struct TokenPersistenceTests {
    @Test func `T-259 Authentication and authorization tokens survive a restart`() async throws {
        let first = try await box.signedIn(service)
        _ = try await first.enabler.authorize("channel")
        await first.enabler.shutDown()
        let second = try await box.application(service)
        #expect(await second.enabler.authenticationStatus() == .authenticated(mvpdID: "CableNova"))
        #expect(try await second.enabler.authorize("channel").resource == "channel")
        #expect(service.count(of: "/adobe-services/authorize") == 1)
        #expect(service.count(of: "/adobe-services/shortAuthorize") == 2)
    }

    @Test func `T-260 Back in the first application its viewer is still signed in`() async throws {
        let group = AccessEnabler.VendorGroup(identifier: "vendor", deviceScope: "vendor")
        let store = AccessEnabler.VendorGroupStore(group: group, folder: box.folder.file("groups"))
        let share: (inout AccessEnabler.Configuration) -> Void = {
            $0.tokenStore = store
            $0.vendorGroup = group
        }
        let first = try ScriptedService { $0.providers = [.init("CableNova")] }
        let second = try ScriptedService { $0.providers = [.init("SatOne")] }
        let app1 = try await box.signedIn(first, share)
        await app1.enabler.shutDown()
        let app2 = try await box.application(second, requestor: "SOUTHSPORT", share)
        #expect(await app2.enabler.authenticationStatus() == nobody)
        try await app2.signIn(second, provider: "SatOne")
        #expect(await app2.enabler.authenticationStatus() == .authenticated(mvpdID: "SatOne"))
        await app2.enabler.shutDown()
        let again = try await box.application(first, share)
        #expect(await again.enabler.authenticationStatus() == .authenticated(mvpdID: "CableNova"))
    }
}

@Suite("A token of another requestor", .box, .timeLimit(.minutes(5)))
struct AdoptionTests {
    @Test func `T-261 A token of an MVPD outside the current list is not adopted`() async throws {
        try await box.prepare { $0.signIn("Elsewhere", requestor: "SOUTHSPORT") }
        let application = try await box.application(service)
        #expect(await application.enabler.authenticationStatus() == nobody)
        #expect(try box.image().mvpds().isEmpty)
        #expect(try box.image()[requestor: TestBox.requestor].currentMvpd == nil)
        #expect(try box.image().mvpds("SOUTHSPORT") == ["Elsewhere"])
    }

    @Test func `T-262 A token of a normal MVPD of another requestor in the group is adopted`() async throws {
        try await box.prepare { $0.signIn("CableNova", requestor: "SOUTHSPORT") }
        let application = try await box.application(service)
        #expect(await application.enabler.authenticationStatus() == .authenticated(mvpdID: "CableNova"))
        #expect(try box.image().mvpds() == ["CableNova"] && box.image().mvpds("SOUTHSPORT") == ["CableNova"])
        // The decision of the other requestor is not this one's.
        #expect(try box.image()[requestor: TestBox.requestor, mvpd: "CableNova"].authz.isEmpty)
        #expect(service.count(of: "/adobe-services/") == 0)
    }

    @Test("Of several tokens the one stored last is adopted", arguments: ["CableNova", "SatOne"])
    func newest(_ newest: String) async throws {
        try await box.prepare { image in
            for (id, requestor) in [("CableNova", "SOUTHSPORT"), ("SatOne", "EASTSPORT")] {
                image.signIn(id, requestor: requestor, stored: id == newest ? 1_790_000_000_000 : 1_780_000_000_000)
            }
        }
        let application = try await box.application(service)
        #expect(await application.enabler.authenticationStatus() == .authenticated(mvpdID: newest))
    }

    @Test("A provider that the viewer left for another one does not come back when the other's sign-in runs out")
    func left() async throws {
        for (stored, outcome) in [
            (Int64(1_780_000_000_000), nobody), (1_795_000_000_000, .authenticated(mvpdID: "CableNova")),
        ] {
            let box = try TestBox()
            try await box.prepare { image in
                image.signIn("CableNova", stored: stored)
                image.signIn("SatOne", stored: 1_790_000_000_000)
                image[requestor: TestBox.requestor, mvpd: "SatOne"].authn?.expires = 1_799_999_999_999
            }
            let application = try await box.application(try ScriptedService())
            #expect(await application.enabler.authenticationStatus() == outcome)
            await application.enabler.shutDown()
        }
    }

    @Test("A token is not adopted where single sign-on is switched off, nor an expired one, nor one of the platform")
    func notAdopted() async throws {
        try await box.prepare { image in
            image.signIn("CableNova", requestor: "SOUTHSPORT")
            image.signIn("SatOne", requestor: "EASTSPORT")
            image[requestor: "EASTSPORT", mvpd: "SatOne"].authn?.expires = 1_799_999_999_999
            image.signIn("TerraNet", requestor: "WESTSPORT")
            image[requestor: "WESTSPORT", mvpd: "TerraNet"].authn?.origin = .platform
        }
        let service = try ScriptedService {
            let alone = ScriptedProvider("CableNova") { $0.metadata = #""singleSignOn":false"# }
            $0.providers = [alone, .init("SatOne"), .init("TerraNet")]
        }
        let application = try await box.application(service)
        #expect(await application.enabler.authenticationStatus() == nobody)
        #expect(try box.image().mvpds().isEmpty)
    }

    @Test func `T-263 A token of an APR MVPD of another requestor is not adopted`() async throws {
        try await box.prepare { $0.signIn("CableNova", requestor: "SOUTHSPORT") }
        let service = try ScriptedService {
            $0.providers = [
                .init("CableNova") {
                    $0.isPerRequestor = true
                    $0.isPassive = false
                }
            ]
        }
        let application = try await box.application(service)
        #expect(await application.enabler.authenticationStatus() == nobody)
        #expect(try box.image().mvpds().isEmpty && box.image().mvpds("SOUTHSPORT") == ["CableNova"])
    }
}

@Suite("A token of another device scope", .box, .timeLimit(.minutes(5)))
struct DeviceScopeTests {
    /// The requestor's own token, and that of another; bound to the other scope's device, and to this one's.
    static let cases = ["NORTHSPORT", "SOUTHSPORT"].flatMap { requestor in
        [testScope, "org.other"].map { (requestor, $0) }
    }

    @Test("T-264 A token of another device scope is not used", arguments: Self.cases)
    func notUsed(requestor: String, boundTo scope: String) async throws {
        let device = DeviceIdentity.deviceID(machineID: TestBox.machineID, scope: scope).text
        try await box.prepare { $0.signIn("CableNova", requestor: requestor, scope: "org.other", boundTo: device) }
        let application = try await box.application(service)
        #expect(await application.enabler.authenticationStatus() == nobody)
        await #expect(throws: AccessEnabler.AuthorizationFailure.self) { try await application.enabler.authorize("r") }
        #expect(service.count(of: "/adobe-services/") == 0)
    }

    @Test("T-265 A token of another device scope is not deleted", arguments: Self.cases)
    func notDeleted(requestor: String, boundTo scope: String) async throws {
        let device = DeviceIdentity.deviceID(machineID: TestBox.machineID, scope: scope).text
        try await box.prepare { $0.signIn("CableNova", requestor: requestor, scope: "org.other", boundTo: device) }
        let before = try box.image(scope: "org.other").requestors[requestor]
        #expect(before?.mvpds["CableNova"]?.authn != nil)
        let application = try await box.application(service)
        _ = await application.enabler.authenticationStatus()
        try await application.signIn(service, provider: "SatOne")
        // The server says that the device is another: only the own scope's tokens go.
        service.answer(
            "/adobe-services/authorize",
            with: .response(401, body: "<error><code>SEC412</code><message>m</message><details>d</details></error>"))
        await #expect(throws: AccessEnabler.AuthorizationFailure.self) { try await application.enabler.authorize("x") }
        #expect(application.recorder.codes.contains("SEC412"))
        #expect(try box.image(scope: "org.other").requestors[requestor] == before)
        #expect(try box.image()[requestor: TestBox.requestor].mvpds["SatOne"] == nil)
        #expect(try box.image()[ending: TestBox.requestor] == .deviceChanged)
    }
}

@Suite("Stores of applications", .box, .timeLimit(.minutes(5)))
struct StoreSharingTests {
    private func member(_ id: String, of group: AccessEnabler.VendorGroup, on box: TestBox) -> (
        inout AccessEnabler.Configuration
    ) -> Void {
        {
            $0.applicationID = id
            $0.vendorGroup = group
            $0.tokenStore = AccessEnabler.VendorGroupStore(group: group, folder: box.folder.file("groups"))
        }
    }

    @Test("T-267 Two applications of one vendor group share tokens", arguments: ["NORTHSPORT", "SOUTHSPORT"])
    func shared(requestor: String) async throws {
        let group = AccessEnabler.VendorGroup(identifier: "vendor", deviceScope: "vendor")
        _ = try await box.signedIn(
            service, provider: "CableNova", self.member("com.example.player", of: group, on: box))
        let guide = try await box.application(
            service, requestor: requestor, self.member("org.other.guide", of: group, on: box))
        #expect(await guide.enabler.authenticationStatus() == .authenticated(mvpdID: "CableNova"))
    }

    @Test("T-268 Two vendor groups do not share tokens", arguments: [("alpha", "beta"), ("a/b", "ab"), ("..", "...")])
    func groupsApart(one: String, other: String) async throws {
        let groups = [one, other].map { AccessEnabler.VendorGroup(identifier: $0, deviceScope: "same") }
        _ = try await box.signedIn(
            service, provider: "CableNova", self.member("com.example.player", of: groups[0], on: box))
        let guide = try await box.application(service, self.member("com.example.guide", of: groups[1], on: box))
        #expect(await guide.enabler.authenticationStatus() == nobody)
    }
}
