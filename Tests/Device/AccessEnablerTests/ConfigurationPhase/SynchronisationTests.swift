import AccessEnabler
import TestSupport
import Testing

@Suite("setRequestor called again", .box, .timeLimit(.minutes(5)))
struct SynchronisationTests {
    /// An application of a vendor group, whose store is the group's.
    private func member(_ requestor: String, of group: String = "vendor") async throws -> TestApplication {
        let group = AccessEnabler.VendorGroup(identifier: group, deviceScope: "com.example")
        let folder = box.folder.file("groups")
        return try await box.application(service, requestor: requestor) {
            $0.vendorGroup = group
            $0.tokenStore = AccessEnabler.VendorGroupStore(group: group, folder: folder)
        }
    }

    /// Begins a login over the second screen, which is asked for by now.
    private func begin(_ application: TestApplication) async {
        application.enabler.setSelectedProvider("CableNova")
        application.enabler.getAuthentication()
        await application.recorder.wait(for: "REGCODE")
        while await service.asked.next() != "/adobe-services/session" {}
    }

    @Test func `T-074 setRequestor with another requestor keeps the tokens of the first one`() async throws {
        service.set { $0.providers = [ScriptedProvider("CableNova") { $0.metadata = #""singleSignOn":false"# }] }
        let application = try await box.signedIn(service)
        try await application.enabler.configure(requestorID: "SOUTHSPORT")
        #expect(await application.enabler.authenticationStatus() == nobody)
        try await application.enabler.configure(requestorID: TestBox.requestor)
        #expect(await application.enabler.authenticationStatus() == .authenticated(mvpdID: "CableNova"))
    }

    @Test("T-075 after a logout in another application of the group, setRequestor removes the local authentication")
    func logoutElsewhere() async throws {
        let here = try await self.member(TestBox.requestor)
        try await here.signIn(service)
        _ = await here.enabler.preauthorizedResources(among: ["r"])
        #expect(await here.enabler.authenticationStatus() == .authenticated(mvpdID: "CableNova"))
        let there = try await self.member("SOUTHSPORT")
        _ = await there.enabler.signOut()
        try await here.enabler.configure(requestorID: TestBox.requestor)
        #expect(await here.enabler.authenticationStatus() == nobody)
        #expect(await here.enabler.preauthorizedResources(among: ["r"]) == [])
    }

    @Test("T-076 after a login in another application of the group, setRequestor makes the user authenticated")
    func loginElsewhere() async throws {
        let here = try await self.member(TestBox.requestor)
        let stranger = try await self.member(TestBox.requestor, of: "another vendor")
        let there = try await self.member("SOUTHSPORT")
        try await there.signIn(service)
        #expect(await here.enabler.authenticationStatus() == nobody)
        for application in [here, stranger] {
            try await application.enabler.configure(requestorID: TestBox.requestor)
        }
        #expect(await here.enabler.authenticationStatus() == .authenticated(mvpdID: "CableNova"))
        #expect(await stranger.enabler.authenticationStatus() == nobody)
    }

    @Test("T-077 with the same requestor it keeps a running second-screen poll alive", arguments: [true, false])
    func keepsPoll(succeeds: Bool) async throws {
        let application = try await box.application(service)
        await self.begin(application)
        if !succeeds { service.answer("/api/v1/config/", with: .response(503)) }
        application.enabler.resynchronize()
        await application.recorder.wait(for: "setRequestorComplete", count: 2)
        #expect(application.recorder.count("setAuthenticationStatus") == 0)
        service.confirm()
        await application.recorder.wait(for: "setAuthenticationStatus")
        #expect(
            application.recorder.callbacks == [
                .configured, succeeds ? .configured : .notConfigured, .authenticated,
            ])
        #expect(application.recorder.codes == (succeeds ? ["REGCODE"] : ["REGCODE", "CFG503"]))
        #expect(service.calls.count { $0.hasSuffix("/regcode") } == 1)
    }

    @Test(.configured) func `a login that outlives a failed repetition can be cancelled`() async throws {
        await self.begin(application)
        service.answer("/api/v1/config/", with: .response(503))
        application.enabler.resynchronize()
        application.enabler.setSelectedProvider(nil)
        await application.recorder.wait(for: "setAuthenticationStatus")
        try await application.enabler.configure(requestorID: TestBox.requestor)
        service.confirm()
        // A login that went on would now be joined, and end well; this one asks for a provider.
        application.enabler.getAuthentication()
        await application.recorder.wait(for: "displayProviderDialog")
        #expect(application.recorder.count("setAuthenticationStatus") == 1)
    }

    @Test("T-078 with another requestor it ends a running login with PROVIDER_NOT_SELECTED_ERROR", .configured)
    func endsLogin() async throws {
        await self.begin(application)
        try await application.enabler.configure(requestorID: "SOUTHSPORT")
        #expect(
            application.recorder.callbacks == [
                .configured, .notAuthenticated("Provider not Selected Error"), .configured,
            ])
        // Whatever the old poll brings is too late.
        service.confirm()
        #expect(await application.enabler.authenticationStatus() == nobody)
        try await application.enabler.configure(requestorID: TestBox.requestor)
        #expect(await application.enabler.authenticationStatus() == nobody)
    }

    @Test("T-079 an MVPD disabled at the backend invalidates its token after the next setRequestor", .signedIn)
    func disabled() async throws {
        service.set { $0.providers.removeAll { $0.id == "CableNova" } }
        #expect(await application.enabler.authenticationStatus() == .authenticated(mvpdID: "CableNova"))
        try await application.enabler.configure(requestorID: TestBox.requestor)
        #expect(await application.enabler.authenticationStatus() == nobody)
    }

    @Test func `a provider that left the list is not remembered when it comes back`() async throws {
        let application = try await box.signedIn(service.set { $0.tokenExpires = "2027/01/15 09:00:00 GMT +0000" })
        let providers = [ScriptedProvider("CableNova"), ScriptedProvider("SatOne")]
        service.set { $0.providers = [providers[1]] }
        try await application.enabler.configure(requestorID: TestBox.requestor)
        service.set { $0.providers = providers }
        try await application.enabler.configure(requestorID: TestBox.requestor)
        #expect(await application.enabler.authenticationStatus() == .authenticated(mvpdID: "CableNova"))
        box.clock.advance(by: .seconds(3600))
        application.enabler.getAuthentication()
        await application.settle()
        #expect(application.recorder.count("displayProviderDialog") == 1)
    }
}
