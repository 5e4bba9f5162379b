import Cryptography
import FoundationEssentials
import TestSupport
import Testing

@testable import AccessEnabler

/// The decisions on the store (access-enabler D-56 to D-58, D-60, D-61), as applications meet them.
@Suite("Applications that share a store", .box, .timeLimit(.minutes(5)))
struct SharedStoreStatementTests {
    @Test("T-336 Two device scopes of a group have their own token, decision and provider in use, after a restart too")
    func scopes() async throws {
        let player = try await member("player", scope: "one")
        let guide = try await member("guide", scope: "two")
        for application in [player, guide] {
            #expect(await application.enabler.authenticationStatus() == nobody)
            try await application.signIn(service, provider: "CableNova")
            _ = try await application.enabler.authorize("r")
        }
        // Each asked for a decision of its own, and signed in anew at the provider of the other.
        #expect(service.count(of: "/adobe-services/authorize") == 2)
        try await guide.signIn(service, provider: "SatOne", force: true)
        for application in [player, guide] {
            try await application.enabler.configure(requestorID: TestBox.requestor)
        }
        #expect(await player.enabler.selectedProvider()?.id == "CableNova")
        #expect(await guide.enabler.selectedProvider()?.id == "SatOne")
        await player.enabler.shutDown()
        await guide.enabler.shutDown()

        let guideAgain = try await member("guide", scope: "two")
        let playerAgain = try await member("player", scope: "one")
        #expect(await playerAgain.enabler.authenticationStatus() == .authenticated(mvpdID: "CableNova"))
        #expect(await guideAgain.enabler.authenticationStatus() == .authenticated(mvpdID: "SatOne"))
        _ = await guideAgain.enabler.signOut()
        _ = try await playerAgain.enabler.authorize("r")
        #expect(service.count(of: "/adobe-services/authorize") == 2)
        #expect(await playerAgain.enabler.authenticationStatus() == .authenticated(mvpdID: "CableNova"))
        let image = try await testVault(vendorStore(), scope: "two").image()
        #expect(image.requestors.isEmpty && image.scopes["one"]?.requestors.count == 1)
    }

    @Test("T-337 Registrations are kept by server and digest of the statement: one of another statement does not count")
    func registrations() async throws {
        for name in ["player", "guide", "player", "guide"] {
            let application = try await member(name)
            await application.enabler.shutDown()
        }
        #expect(service.count(of: "/o/client/register") == 2 && service.count(of: "/o/client/token") == 2)
        let digests = ["player", "guide"].map { Hex.encode(Digest.sha256("statement.of.\($0)".utf8)) }
        let kept = try await testVault(vendorStore()).image().registrations
        #expect(kept.keys.sorted() == [service.url])
        #expect(kept[service.url]?.keys.sorted() == digests.sorted())
        let text = String(decoding: try await vendorStore().content().bytes ?? [], as: UTF8.self)
        #expect(!text.contains("statement.of."))
        // The player's new statement registers anew, and leaves what the others have.
        let renewed = try await member("player", statement: "a.new.statement")
        await renewed.enabler.shutDown()
        let after = try await testVault(vendorStore()).image().registrations[service.url] ?? [:]
        #expect(service.count(of: "/o/client/register") == 3 && after.count == 3)
        for digest in digests { #expect(after[digest] == kept[service.url]?[digest]) }
    }
}

@Suite("A store that grows", .box, .timeLimit(.minutes(5)))
struct StoreGrowthStatementTests {
    private func decisions(_ requestor: String = TestBox.requestor) throws -> Set<String> {
        Set(try box.image()[requestor: requestor, mvpd: "CableNova"].authz.keys)
    }

    @Test("T-338 A decision that is over goes with the next write, whoever made it; a sign-in that is over stays")
    func expired() async throws {
        try await box.prepare { image in
            image.signIn("CableNova", requestor: "SOUTHSPORT")
            image[requestor: "SOUTHSPORT", mvpd: "CableNova"].authn?.expires = 1_799_999_999_000
            image[requestor: "SOUTHSPORT", mvpd: "CableNova"].authz["r"]?.expires = 1_800_000_060_000
        }
        // The first two end a minute from now.
        let application = try await box.signedIn(service.set { $0.permitExpires = "2027/01/15 08:01:00 GMT +0000" })
        _ = try await application.enabler.authorize("first")
        #expect(try self.decisions() == ["first"] && self.decisions("SOUTHSPORT") == ["r"])
        box.clock.advance(by: .seconds(60))
        service.set { $0.permitExpires = "2027/01/15 09:00:00 GMT +0000" }
        _ = try await application.enabler.authorize("second")
        #expect(try self.decisions() == ["second"] && self.decisions("SOUTHSPORT").isEmpty)
        #expect(try box.image().mvpds("SOUTHSPORT") == ["CableNova"])
    }

    @Test("T-339 A requestor keeps 500 decisions: the next one takes the place of that which ends first")
    func fiveHundred() async throws {
        let limit = 500
        try await box.prepare { image in
            for requestor in [TestBox.requestor, "SOUTHSPORT"] {
                image.signIn("CableNova", requestor: requestor)
                image[requestor: requestor, mvpd: "CableNova"].authz = Dictionary(
                    uniqueKeysWithValues: (1...limit).map { number in
                        let expires = 1_900_000_000_000 + Int64(number)
                        return ("r\(number)", .init(xml: authorizationXML("r\(number)"), expires: expires))
                    })
            }
        }
        let application = try await box.application(service)
        _ = try await application.enabler.authorize("new")
        let left = try self.decisions()
        #expect(left.count == limit && left.contains("new") && !left.contains("r1") && left.contains("r2"))
        #expect(try self.decisions("SOUTHSPORT").count == limit)
        // What is kept is not asked for again; what had to go is.
        _ = try await application.enabler.authorize("new")
        _ = try await application.enabler.authorize("r2")
        #expect(service.count(of: "/adobe-services/authorize") == 1)
        _ = try await application.enabler.authorize("r1")
        #expect(service.count(of: "/adobe-services/authorize") == 2)
    }

    @Test("T-340 A login that would make the store too large to be read again fails, and what was kept stays")
    func refused() async throws {
        try await box.prepare { image in
            image.signIn("SatOne", requestor: "SOUTHSPORT")
            let filler = String(repeating: "x", count: StoreImage.byteLimit - 4_000)
            image[requestor: "SOUTHSPORT", mvpd: "SatOne"].userMetadata = filler
        }
        service.set {
            $0.userMetadata = #"{"updated":1,"encrypted":[],"data":{"a":"\#(String(repeating: "y", count: 4_000))"}}"#
        }
        let application = try await box.application(service)
        let before = try box.storedText
        await application.showCode()
        service.confirm()
        await application.recorder.wait(for: "setAuthenticationStatus")
        #expect(application.outcomes == [.notAuthenticated(AccessEnablerError.internalAuthentication)])
        #expect(try box.storedText == before)
    }

    @Test("T-341 A store that is too large is no damage: it stays as it is until INTEGRITY_CHECK_CLEAR puts it aside")
    func tooLarge() async throws {
        let places = Notes<String>()
        let size = 9 << 20
        try box.folder.write(String(repeating: " ", count: size), to: "state/store.json")
        let refused = try box.start(service) { $0.storeSetAside = { places.add($0) } }
        let failure = await #expect(throws: AccessEnabler.ConfigurationFailure.self) {
            try await refused.enabler.configure(requestorID: TestBox.requestor)
        }
        #expect(failure?.status?.code == .internalError)
        #expect(try box.storedText.utf8.count == size && places.all.isEmpty)
        await refused.enabler.shutDown()
        let cleared = try box.start(service, check: .clear) { $0.storeSetAside = { places.add($0) } }
        try await cleared.enabler.configure(requestorID: TestBox.requestor)
        await cleared.enabler.shutDown()
        #expect(places.all == [box.folder.file("state/store.json.corrupt-1")])
        #expect(try box.folder.read("state/store.json.corrupt-1").utf8.count == size)
    }
}

@Suite("An application and its own store", .box, .timeLimit(.minutes(5)))
struct OwnStoreStatementTests {
    @Test("T-342 An application without an ID is refused before anything is sent or kept, and is told what is missing")
    func withoutID() async throws {
        let application = try box.start(service) { $0.applicationID = "" }
        for _ in 0..<2 {
            let failure = await #expect(throws: AccessEnabler.ConfigurationFailure.self) {
                try await application.enabler.configure(requestorID: TestBox.requestor)
            }
            #expect(failure?.status?.code == .internalError)
            #expect(failure?.status?.details == "the application has no identifier: set applicationID")
        }
        #expect(
            application.recorder.callbacks == [
                Callback("setRequestorComplete", "0"), Callback("setRequestorComplete", "0"),
            ])
        #expect(service.calls.isEmpty && !FileManager.default.fileExists(atPath: box.storePath))
    }

    @Test(
        "T-266 T-343 Applications that say nothing of a store have one each: neither sees or ends the other's sign-in")
    func ownStores() async throws {
        let environment = ["XDG_STATE_HOME": box.folder.path]
        var applications: [TestApplication] = []
        for id in ["com.example.player", "com.example.guide", "com/example/player", "com example player"] {
            // Where the default puts it, but below this box's own folder.
            var configuration = try box.configuration(service)
            configuration.tokenStore = nil
            configuration.applicationID = id
            #expect(
                (configuration.store as? AccessEnabler.PrivateFileStore)?.path
                    == AccessEnabler.PrivateFileStore(applicationID: id).path)
            applications.append(
                try await box.application(service) {
                    $0.applicationID = id
                    $0.tokenStore = AccessEnabler.PrivateFileStore(applicationID: id, environment: environment)
                })
        }
        try await applications[0].signIn(service)
        for other in applications.dropFirst() {
            #expect(await other.enabler.authenticationStatus() == nobody)
            _ = await other.enabler.signOut()
        }
        try await applications[0].enabler.configure(requestorID: TestBox.requestor)
        #expect(await applications[0].enabler.authenticationStatus() == .authenticated(mvpdID: "CableNova"))
        #expect(service.count(of: "/o/client/register") == applications.count)
        for application in applications { await application.enabler.shutDown() }
    }
}

@Suite("A store of a newer version", .timeLimit(.minutes(5)))
struct NewerStoreStatementTests {
    private static let newer = #"{"schema":7,"tokens":"in a way this version does not know"}"#

    private let box: TestBox
    private let service: ScriptedService

    init() throws {
        self.box = try TestBox()
        self.service = try ScriptedService()
        try self.box.folder.write(Self.newer, to: "state/store.json")
    }

    @Test func `T-344 It reads as absent, nothing is called damaged, and it is kept beside the new one`() async throws {
        let places = Notes<String>()
        let store = AccessEnabler.PrivateFileStore(path: self.box.storePath)
        #expect(try await testVault(store).image().requestors.isEmpty && self.box.storedText == Self.newer)
        let application = try await self.box.signedIn(self.service) { $0.storeSetAside = { places.add($0) } }
        _ = try await application.enabler.authorize("r")
        await application.enabler.shutDown()
        let again = try await self.box.application(self.service)
        #expect(await again.enabler.authenticationStatus() == .authenticated(mvpdID: "CableNova"))
        await again.enabler.shutDown()
        #expect(places.all == [self.box.folder.file("state/store.json.schema-7")])
        let names = try FileManager.default.contentsOfDirectory(atPath: self.box.folder.file("state")).sorted()
        #expect(names == ["store.json", "store.json.lock", "store.json.schema-7"])
        #expect(try self.box.folder.read("state/store.json.schema-7") == Self.newer)
    }

    @Test("T-345 INTEGRITY_CHECK_CLEAR and INTEGRITY_CHECK_ALL make it usable, and keep it under its name")
    func checks() async throws {
        for check in [AccessEnabler.IntegrityCheckType.clear, .all] {
            try self.box.folder.write(Self.newer, to: "state/store.json")
            let application = try self.box.start(self.service, check: check)
            try await application.enabler.configure(requestorID: TestBox.requestor)
            #expect(await application.enabler.authenticationStatus() == nobody)
            try await application.signIn(self.service)
            await application.enabler.shutDown()
            #expect(try self.box.folder.read("state/store.json.schema-7") == Self.newer)
            #expect(try self.box.image().mvpds() == ["CableNova"])
        }
    }
}
