import AccessEnablerConstants
import HTTPClient
import Synchronization
import TestSupport
import Testing

@testable import AccessEnabler

private let nobody = AccessEnabler.AuthenticationOutcome.notAuthenticated(code: USER_NOT_AUTHENTICATED_ERROR)
private let viewer = AccessEnabler.AuthenticationOutcome.authenticated(mvpdID: "CableNova")

@Suite("The agent's store of a vendor group", .timeLimit(.minutes(5)))
struct AgentStoreTests {
    private let box: TestBox
    private let service: ScriptedService
    private let stores = FakeAgent.Stores()
    private let group = AccessEnabler.VendorGroup(identifier: "vendor", deviceScope: testScope)

    init() throws {
        self.box = try TestBox()
        self.service = try ScriptedService()
    }

    private func store(_ agent: FakeAgent) -> AccessEnabler.AgentVendorGroupStore {
        AccessEnabler.AgentVendorGroupStore(
            group: self.group,
            ownStore: AccessEnabler.VendorGroupStore(group: self.group, folder: self.box.folder.file("groups")),
            socketPath: "/nowhere/agent.sock", transport: agent)
    }

    /// An application of the group.
    private func member(_ name: String, _ agent: FakeAgent) async throws -> TestApplication {
        let application = try self.box.start(self.service, statement: "statement.of.\(name)") {
            $0.applicationID = "com.example.\(name)"
            $0.vendorGroup = self.group
            $0.tokenStore = self.store(agent)
            $0.privateStore = AccessEnabler.PrivateFileStore(path: self.box.folder.file("\(name)/store.json"))
        }
        try await application.enabler.configure(requestorID: TestBox.requestor)
        return application
    }

    @Test("T-267 makes a sign-in by one application the sign-in of the others, and a logout their logout")
    func shared() async throws {
        let player = try await self.member("player", FakeAgent(self.stores))
        let guide = try await self.member("guide", FakeAgent(self.stores))
        try await player.signIn(self.service)
        #expect(await guide.enabler.authenticationStatus() == viewer)
        _ = try await guide.enabler.authorize("r")
        _ = await guide.enabler.signOut()
        #expect(await player.enabler.authenticationStatus() == nobody)
        await player.enabler.shutDown()
        await guide.enabler.shutDown()
    }

    @Test(
        "is used by a member with a permission, and by no other application",
        arguments: ["granted", "denied", "undetermined"], [true, false])
    func matrix(permission: String, isMember: Bool) async throws {
        try await testVault(self.store(FakeAgent(self.stores))).update { $0.signIn("CableNova") }
        let agent = FakeAgent(
            self.stores, .init(permission: permission, groups: isMember ? ["vendor"] : ["another"]))
        let store = self.store(agent)
        let isUsed = permission == "granted" && isMember
        #expect(try await store.isKeptByAgent() == isUsed)
        let vault = testVault(store)
        #expect(try await vault.image().mvpds() == (isUsed ? ["CableNova"] : []))
        // What it keeps is where it belongs.
        let before = self.stores.content(of: "vendor")
        try await vault.update { $0.signIn("SatOne") }
        #expect((self.stores.content(of: "vendor") == before) == !isUsed)
        #expect(try await self.store(agent).ownStore.content().bytes == nil || !isUsed)
        // The agent is asked once, and the operator of the box once more where that helps.
        #expect(agent.log.count { $0.hasPrefix("GET /v1/vendor-groups ") } == 1)
        #expect(agent.log.count { $0.hasPrefix("POST /v1/permission") } == (permission == "undetermined" ? 1 : 0))
    }

    @Test("is not used without an agent on the socket; an agent that does not answer is a failure, and asked again")
    func absent() async throws {
        let agent = FakeAgent(self.stores, .init(fault: .unreachable))
        #expect(try await self.store(agent).isKeptByAgent() == false)
        agent.set { $0.fault = .timedOut }
        let store = self.store(agent)
        await #expect(throws: AccessEnabler.TokenStoreError.self) { try await store.isKeptByAgent() }
        await #expect(throws: AccessEnabler.TokenStoreError.self) { try await store.content() }
        agent.set { $0.fault = nil }
        #expect(try await store.isKeptByAgent())
    }

    @Test("fails once the permission was taken back or the agent is gone, and its content comes from nowhere else")
    func withdrawn() async throws {
        let agent = FakeAgent(self.stores)
        let store = self.store(agent)
        let vault = testVault(store)
        try await vault.update { $0.signIn("CableNova") }
        for change: @Sendable (inout FakeAgent.Behaviour) -> Void in [
            { $0.permission = "denied" }, { $0.groups = [] }, { $0.fault = .unreachable },
        ] {
            agent.set(change)
            await #expect(throws: EntitlementError.self) { try await vault.image() }
            await #expect(throws: EntitlementError.self) { try await vault.update { $0.signIn("SatOne") } }
            agent.set { $0 = FakeAgent.Behaviour() }
            #expect(try await vault.image().mvpds() == ["CableNova"])
        }
        #expect(try await store.ownStore.content().bytes == nil)
    }

    @Test("begins a change again where another application was faster, and loses neither change")
    func conflict() async throws {
        let rivals = Atomic<Int>(3)
        let stores = self.stores
        let agent = FakeAgent(stores)
        let vault = testVault(self.store(agent))
        try await vault.update { $0.signIn("CableNova") }
        agent.set {
            $0.beforeReplacement = {
                let left = rivals.subtract(1, ordering: .relaxed).newValue
                guard left >= 0, let bytes = stores.content(of: "vendor"),
                    var image = StoreImage(reading: bytes, scope: testScope)
                else { return }
                image.signIn("Rival\(left)")
                stores.set(try? image.encoded(), of: "vendor")
            }
        }
        try await vault.update { $0.signIn("SatOne") }
        #expect(try await vault.image().mvpds() == ["CableNova", "SatOne", "Rival0", "Rival1", "Rival2"])
    }

    @Test("gives a change up that another application is always faster than")
    func endlessConflict() async throws {
        let count = Atomic<Int>(0)
        let stores = self.stores
        let agent = FakeAgent(stores)
        agent.set {
            $0.beforeReplacement = {
                stores.set(Array("\(count.add(1, ordering: .relaxed).newValue)".utf8), of: "vendor")
            }
        }
        let store = self.store(agent)
        await #expect(throws: AccessEnabler.TokenStoreError.self) {
            try await store.transaction { _ in .replace([1]) }
        }
        #expect(count.load(ordering: .relaxed) == AccessEnabler.AgentVendorGroupStore.attemptLimit)
    }

    @Test("is read again only when it was changed")
    func reading() async throws {
        let agent = FakeAgent(self.stores)
        let vault = testVault(self.store(agent))
        try await vault.update { $0.signIn("CableNova") }
        let before = agent.log.count
        for _ in 0..<3 { #expect(try await vault.image().mvpds() == ["CableNova"]) }
        #expect(
            agent.log.dropFirst(before) == Array(repeating: "GET /v1/vendor-groups/vendor/store 304", count: 3)[...])
        try await testVault(self.store(FakeAgent(self.stores))).update { $0.signIn("SatOne") }
        #expect(try await vault.image().mvpds() == ["CableNova", "SatOne"])
    }

    @Test("keeps what cannot be understood beside it, and what a newer version wrote for that one")
    func aside() async throws {
        self.stores.set(Array("no image".utf8), of: "vendor")
        let store = self.store(FakeAgent(self.stores))
        try await testVault(store).update { $0.signIn("CableNova") }
        #expect(self.stores.setAside["damaged"] == Array("no image".utf8))
        let newer = Array(#"{"schema":7}"#.utf8)
        self.stores.set(newer, of: "vendor")
        try await testVault(store).update { $0.signIn("CableNova") }
        #expect(try await store.contentSetAside(schema: 7) == newer)
        #expect(try await store.contentSetAside(schema: 8) == nil)
        #expect(try await store.setAside() == "aside")
        #expect(try await store.content().bytes == nil)
    }

    @Test("T-269 takes the sign-in along that the application had in its own store, and not after a logout again")
    func imported() async throws {
        let agent = FakeAgent(self.stores, .init(permission: "undetermined"))
        let before = try await self.member("player", agent)
        try await before.signIn(self.service)
        await before.enabler.shutDown()
        #expect(self.stores.content(of: "vendor") == nil)
        agent.set { $0.permission = "granted" }
        let after = try await self.member("player", agent)
        #expect(await after.enabler.authenticationStatus() == viewer)
        _ = await after.enabler.signOut()
        try await after.enabler.configure(requestorID: TestBox.requestor)
        #expect(await after.enabler.authenticationStatus() == nobody)
        await after.enabler.shutDown()
    }
}
