import Synchronization
import TestSupport
import Testing

@testable import AccessEnabler

/// An older store with this content.
private func older(_ image: StoreImage) throws -> SpiedStore {
    SpiedStore(AccessEnabler.MemoryStore(content: try image.encoded()))
}

private func image(_ change: (inout StoreImage) -> Void) -> StoreImage {
    var image = StoreImage(scope: testScope)
    change(&image)
    return image
}

@Suite("The importer of tokens", .box, .timeLimit(.minutes(5)))
struct TokenImporterTests {
    @Test func `T-269 The Importer takes over a valid token from an older store`() async throws {
        let store = try older(image { $0.signIn("CableNova") })
        let application = try await box.application(service) { $0.legacyStores = [store] }
        #expect(await application.enabler.authenticationStatus() == .authenticated(mvpdID: "CableNova"))
        _ = try await application.enabler.authorize("r")
        #expect(service.count(of: "/adobe-services/authorize") == 0)
        // It is transparent.
        #expect(application.recorder.callbacks.prefix(2) == [.configured, .authenticated])
        #expect(application.recorder.codes.isEmpty)
    }

    @Test("The newest older store with a valid token counts, and a token that is not valid does not")
    func order() async throws {
        let stores = [
            try older(image { $0.signIn("CableNova", boundTo: "another device") }),
            try older(image { $0.signIn("SatOne") }), try older(image { $0.signIn("CableNova") }),
        ]
        let application = try await box.application(service) { $0.legacyStores = stores }
        #expect(await application.enabler.authenticationStatus() == .authenticated(mvpdID: "SatOne"))
        #expect(stores.map(\.reads) == [1, 1, 0])
        #expect(try box.image().mvpds() == ["SatOne"])
    }

    @Test func `An application that moved to a vendor group imports from its own file`() throws {
        let group = AccessEnabler.VendorGroup(identifier: "vendor", deviceScope: testScope)
        var configuration = AccessEnabler.Configuration(applicationID: "com.example.player")
        #expect(configuration.formerStore == nil)
        configuration.tokenStore = AccessEnabler.VendorGroupStore(group: group, folder: box.folder.file("groups"))
        let own = AccessEnabler.PrivateFileStore(applicationID: "com.example.player")
        #expect(configuration.formerStore?.path == own.path)
    }

    @Test func `T-270 The Importer does nothing if a valid token exists`() async throws {
        let store = try older(image { $0.signIn("SatOne", stored: 1_799_000_000_000) })
        try await box.prepare { $0.signIn("CableNova") }
        let application = try await box.application(service) { $0.legacyStores = [store] }
        #expect(await application.enabler.authenticationStatus() == .authenticated(mvpdID: "CableNova"))
        #expect(store.reads == 0)
        #expect(try box.image().mvpds() == ["CableNova"])
    }

    @Test func `T-271 The Importer leaves the old store unchanged`() async throws {
        let old = AccessEnabler.PrivateFileStore(path: box.folder.file("old/store.json"))
        _ = try await testVault(old).update { $0.signIn("CableNova") }
        let before = try await old.content()
        let application = try await box.application(service) { $0.legacyStores = [old] }
        #expect(await application.enabler.authenticationStatus() == .authenticated(mvpdID: "CableNova"))
        _ = await application.enabler.signOut()
        let after = try await old.content()
        #expect(after.bytes == before.bytes && after.stamp == before.stamp)
    }
}

@Suite("The sanitizer of tokens", .box, .timeLimit(.minutes(5)))
struct TokenSanitizerTests {
    @Test func `T-272 The Sanitizer removes a token bound to an old device ID`() async throws {
        try await box.prepare { image in
            image.signIn("CableNova", boundTo: "an old one")
            image.signIn("SatOne", requestor: "SOUTHSPORT", boundTo: "an old one")
        }
        let application = try await box.application(service)
        #expect(await application.enabler.authenticationStatus() == nobody)
        // Its decisions and metadata with it.
        #expect(try box.image().mvpds().isEmpty && box.image().mvpds("SOUTHSPORT").isEmpty)
        #expect(try box.image()[requestor: TestBox.requestor].currentMvpd == nil)
    }

    @Test func `T-273 The Sanitizer keeps a token bound to the current device ID`() async throws {
        try await box.prepare { image in
            image.signIn("SatOne", boundTo: "an old one")
            image.signIn("Elsewhere", requestor: "SOUTHSPORT")
            image.signIn("CableNova")
        }
        let before = try box.image()
        let application = try await box.application(service)
        #expect(await application.enabler.authenticationStatus() == .authenticated(mvpdID: "CableNova"))
        let after = try box.image()
        #expect(after.mvpds() == ["CableNova"])
        #expect(
            after[requestor: TestBox.requestor, mvpd: "CableNova"]
                == before[requestor: TestBox.requestor, mvpd: "CableNova"])
        #expect(after.requestors["SOUTHSPORT"] == before.requestors["SOUTHSPORT"])
    }

    @Test(
        "T-274 The Sanitizer reports SEC412 if it removed a token of the current requestor",
        arguments: ["NORTHSPORT", "SOUTHSPORT"])
    func reports(requestor: String) async throws {
        try await box.prepare { $0.signIn("CableNova", requestor: requestor, boundTo: "an old one") }
        let application = try await box.application(service)
        await application.settle()
        let expected = ["errorId": "SEC412", "level": "warning"]
        #expect(application.recorder.statuses == (requestor == TestBox.requestor ? [expected] : []))
        #expect(try box.image()[ending: requestor] == .deviceChanged)
        #expect(application.recorder.callbacks.first == .configured)
    }
}

@Suite("The check of the store", .box, .timeLimit(.minutes(5)))
struct IntegrityCheckTests {
    /// A token that is none, beside one that is.
    private func corrupted() async throws -> TestBox {
        try await box.prepare { image in
            image.signIn("SatOne", requestor: "SOUTHSPORT", xml: "<simpleAuthenticationTok")
            image.signIn("CableNova")
        }
        return box
    }

    @Test func `T-275 INTEGRITY_CHECK_NONE leaves a corrupted record in place`() async throws {
        let box = try await self.corrupted()
        let before = try box.image().requestors
        let application = try box.start(service)
        try await application.enabler.configure(requestorID: TestBox.requestor)
        #expect(try box.image().requestors == before)
        #expect(await application.enabler.authenticationStatus() == .authenticated(mvpdID: "CableNova"))
    }

    @Test func `T-276 INTEGRITY_CHECK_ALL clears a store with one corrupted record`() async throws {
        let box = try await self.corrupted()
        let application = try box.start(service, check: .all)
        try await application.enabler.configure(requestorID: TestBox.requestor)
        #expect(await application.enabler.authenticationStatus() == nobody)
        #expect(try box.image().mvpds().isEmpty && box.image().mvpds("SOUTHSPORT").isEmpty)
    }

    @Test func `INTEGRITY_CHECK_ALL clears a store with a corrupted decision, and one that is no JSON`() async throws {
        let decision = image { image in
            image.signIn("CableNova")
            image[requestor: TestBox.requestor, mvpd: "CableNova"].authz["r"]?.xml = "<simple"
        }
        for content in [try decision.encoded(), Array("{\"schema\":1,".utf8), []] {
            let store = AccessEnabler.MemoryStore(content: content)
            await testVault(store).check(.all)
            let bytes = try #require(try await store.content().bytes)
            let after = try #require(StoreImage(reading: bytes, scope: testScope))
            #expect(after.requestors.isEmpty)
        }
    }

    @Test func `T-277 INTEGRITY_CHECK_ALL leaves a healthy store unchanged`() async throws {
        try await box.prepare { $0.signIn("CableNova") }
        let before = try box.image()
        let application = try box.start(service, check: .all)
        try await application.enabler.configure(requestorID: TestBox.requestor)
        #expect(await application.enabler.authenticationStatus() == .authenticated(mvpdID: "CableNova"))
        #expect(try box.image().requestors == before.requestors && box.image().generation == before.generation)
        await application.enabler.shutDown()
        let content = try before.encoded()
        let store = AccessEnabler.MemoryStore(content: content)
        await testVault(store).check(.all)
        #expect(try await store.content().bytes == content)
        // The probe was written, and taken away.
        #expect(try store.stamp() == AccessEnabler.TokenStoreStamp(2))
    }

    @Test("INTEGRITY_CHECK_ALL keeps what another process writes between its probe and reading it back")
    func meanwhile() async throws {
        let store = SpiedStore()
        let other = testVault(store)
        try await other.update { $0.signIn("CableNova") }
        for moment in SpiedStore.Moment.allCases {
            store.hold(moment)
            async let check: Void = testVault(store).check(.all)
            _ = await store.held.next()
            try await other.update { $0.signIn("SatOne", requestor: "\(moment)") }
            await testVault(store).check(.all)
            store.release()
            await check
            let image = try await other.image()
            #expect(image.mvpds() == ["CableNova"] && image.mvpds("\(moment)") == ["SatOne"])
            #expect(image.probes == nil)
        }
    }

    @Test func `T-278 INTEGRITY_CHECK_CLEAR clears a healthy store`() async throws {
        try await box.prepare { image in
            image.signIn("CableNova")
            image.signIn("SatOne", requestor: "SOUTHSPORT", scope: "org.other")
        }
        let application = try box.start(service, check: .clear)
        try await application.enabler.configure(requestorID: TestBox.requestor)
        #expect(await application.enabler.authenticationStatus() == nobody)
        #expect(try box.image().mvpds().isEmpty && box.image(scope: "org.other").mvpds("SOUTHSPORT").isEmpty)
    }
}
