import FoundationEssentials
import Glibc
import POSIX
import TestSupport
import Testing

@testable import AccessEnabler

@Suite("Applications of one vendor", .box, .timeLimit(.minutes(5)))
struct VendorGroupTests {
    @Test func `D-57 a renewal in one member leaves the other's registration and token alone`() async throws {
        let player = try await member("player")
        let guide = try await member("guide")
        box.clock.advance(by: .seconds(21_600))
        for application in [player, guide, player, guide] {
            try await application.enabler.configure(requestorID: TestBox.requestor)
        }
        #expect(service.count(of: "/o/client/register") == 2)
        let clients = service.requests.filter { $0.path == "/o/client/token" }.map { $0.form["client_id"] }
        #expect(clients == ["client-1", "client-2", "client-1", "client-2"])
    }

    @Test func `An access token is not kept with a client that another process registered meanwhile`() async throws {
        let store = AccessEnabler.MemoryStore()
        let held = service.hold("/o/client/token")
        let application = try box.start(service) { $0.tokenStore = store }
        async let configured: Void = application.enabler.configure(requestorID: TestBox.requestor)
        await held.reached()
        let vault = testVault(store)
        let (server, statement) = try await vault.update { image -> (String, String) in
            let server = image.registrations.keys.first ?? ""
            let statement = image.registrations[server]?.keys.first ?? ""
            image[registration: server, statement] = .init(clientID: "another", clientSecret: "s")
            return (server, statement)
        }
        held.open()
        try await configured
        let kept = try await vault.image()[registration: server, statement]
        #expect(kept?.clientID == "another" && kept?.accessToken == nil)
    }

    @Test func `A vendor group implies its store`() throws {
        var configuration = AccessEnabler.Configuration(applicationID: "com.example.player")
        #expect(configuration.store is AccessEnabler.PrivateFileStore)
        configuration.vendorGroup = AccessEnabler.VendorGroup(identifier: "vendor", deviceScope: "vendor")
        #expect(
            (configuration.store as? AccessEnabler.VendorGroupStore)?.path
                == "/var/lib/access-enabler/groups/vendor/store.json")
        configuration.tokenStore = AccessEnabler.MemoryStore()
        #expect(configuration.store is AccessEnabler.MemoryStore)
    }

    @Test("After a logout, or an end by the server, nothing is imported from an older store", arguments: [true, false])
    func importedOnce(logsOut: Bool) async throws {
        let older = AccessEnabler.MemoryStore()
        try await testVault(older).update { $0.signIn("CableNova") }
        let application = try await box.application(service) { $0.legacyStores = [older] }
        #expect(await application.enabler.authenticationStatus() == .authenticated(mvpdID: "CableNova"))
        if logsOut { _ = await application.enabler.signOut() } else { service.revoke() }
        #expect(await application.failure(of: "x") != nil)
        try await application.enabler.configure(requestorID: TestBox.requestor)
        #expect(await application.enabler.authenticationStatus() == nobody)
    }
}

@Suite("The store of a Unix group", .timeLimit(.minutes(5)), .enabled(if: geteuid() == 0, "needs root"))
struct UnixGroupStoreTests {
    /// A group of every Debian system, that no test process is a member of.
    private let group = AccessEnabler.VendorGroup(identifier: "vendor", deviceScope: "vendor", unixGroup: "daemon")
    private let folder: TemporaryFolder

    init() throws {
        self.folder = try TemporaryFolder()
        // Others have to get through it.
        try FileManager.default.setAttributes([.posixPermissions: 0o711], ofItemAtPath: self.folder.path)
    }

    @Test("Folder and files are the group's, and nobody else's")
    func permissions() async throws {
        let store = AccessEnabler.VendorGroupStore(group: self.group, folder: self.folder.path)
        try await testVault(store).update { $0.signIn("CableNova") }
        let members = try #require(UnixGroup(named: "daemon"))
        let place = try FileStatus(of: self.folder.file("vendor"))
        #expect(place.mode == 0o2770 && place.group == members.id)
        for name in ["store.json", "store.json.lock"] {
            let file = try FileStatus(of: self.folder.file("vendor/\(name)"))
            #expect(file.mode == 0o660 && file.group == members.id, "\(name)")
        }
    }

    @Test("A folder that others may open, or that is another group's, is refused", arguments: [0o2775, 0o770])
    func refused(mode: Int) async throws {
        try FileManager.default.createDirectory(atPath: self.folder.file("vendor"), withIntermediateDirectories: false)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: self.folder.file("vendor"))
        let vault = testVault(AccessEnabler.VendorGroupStore(group: self.group, folder: self.folder.path))
        await #expect(throws: EntitlementError.self) { try await vault.update { $0.signIn("CableNova") } }
    }

    @Test func `A group that the system does not know is named`() async throws {
        let group = AccessEnabler.VendorGroup(identifier: "vendor", deviceScope: "vendor", unixGroup: "no-such-group")
        let store = AccessEnabler.VendorGroupStore(group: group, folder: self.folder.path)
        let error = await #expect(throws: AccessEnabler.TokenStoreError.self) { try await store.content() }
        #expect(error?.description.contains("no-such-group") == true)
    }

    @Test("T-267 Two Unix users of the group share tokens, and a third cannot read them")
    func twoUsers() async throws {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let program = "\(Folder.containing(tests))/TokenStoreWriter"
        let store = AccessEnabler.VendorGroupStore(group: self.group, folder: self.folder.path)
        try await testVault(store, scope: "vendor").update { image in
            image[requestor: "WRITER", mvpd: "mvpd-0"].userMetadata = "root"
        }
        // bin and nobody, both with the group daemon.
        for (user, number) in [("2", 7), ("65534", 8)] {
            let writer = [program, "--group", "daemon", self.folder.path, "\(number)"]
            let run = try await ChildProcess(
                "/usr/bin/setpriv", ["--reuid=\(user)", "--regid=65534", "--groups=1"] + writer
            ).run()
            #expect(run.end == .exited(0) && run.output == "\(number)\n", "\(run.output) \(run.talk)")
        }
        let image = try await testVault(store, scope: "vendor").image()
        #expect(image[requestor: "WRITER", mvpd: "mvpd-0"].userMetadata == "root")
        #expect(image[requestor: "WRITER"].mvpds.keys.sorted() == ["mvpd-0", "mvpd-7", "mvpd-8"])
        let writer = [program, "--group", "daemon", self.folder.path, "9"]
        let stranger = try await ChildProcess(
            "/usr/bin/setpriv", ["--reuid=65534", "--regid=65534", "--clear-groups"] + writer
        ).run()
        #expect(stranger.end == .exited(1) && stranger.output.contains("permission denied"), "\(stranger.output)")
    }
}
