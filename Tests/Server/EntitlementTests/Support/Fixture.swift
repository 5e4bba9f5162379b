import Clientless
import Cryptography
import Entitlement
import FoundationEssentials
import Lending
import Stores
import Testing

/// A pairing service on a real store in a folder of its own, with providers that answer as the test says.
struct Fixture {
    @TaskLocal static var current: Fixture?

    static let now = Timestamp(milliseconds: 1_767_225_600_000)
    static let browser = Browser(Secret("a browser session"))
    static let masterSecret = Secret(Array(repeating: 7, count: ServerKeys.masterSecretSize))
    static let signingKey = Result { try RSAPrivateKey.generate() }
    static let audience = "https://latchkey.example/saml"
    static let callback = "https://latchkey.example/sp/login/CableNova"
    static let recipient = "https://latchkey.example/sp/saml/SAMLAssertionConsumer"

    var file = ""
    let store: any EmbeddedStore
    let domain: Entitlements
    /// Stands behind every provider that is no trial.
    let provider: ScriptedProvider
    let uptime: ManualUptime

    @discardableResult
    static func with<Result>(
        manner: ScriptedProvider.Manner = .helpful, limits change: (inout Entitlements.Limits) -> Void = { _ in },
        options: SQLiteStore.Options = SQLiteStore.Options(),
        _ body: () async throws -> Result
    ) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.path + "/latchkey-pairing-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = folder + "/store.sqlite"
        let store = try await SQLiteStore.open(file, options: options)
        let provider = ScriptedProvider(manner)
        let uptime = ManualUptime()
        var limits = Entitlements.Limits()
        change(&limits)
        let fixture = Fixture(
            file: file, store: store,
            domain: try self.domain(on: store, provider: provider, uptime: uptime, limits: limits),
            provider: provider, uptime: uptime)
        try await fixture.domain.upkeep.start(now: self.now)
        let result = try await self.$current.withValue(fixture, operation: body)
        await store.close()
        return result
    }

    /// A service on a store that exists, such as a second node, or the same one with other keys.
    static func domain(
        on store: any Store, provider: ScriptedProvider = ScriptedProvider(.helpful),
        documents: TokenDocumentSigner? = nil, uptime: ManualUptime = ManualUptime(),
        limits: Entitlements.Limits = Entitlements.Limits(),
        report: @escaping @Sendable (DomainNotice) -> Void = { _ in },
        onEnding: @escaping @Sendable (Ending) -> Void = { _ in }
    ) throws -> Entitlements {
        Entitlements(
            ConfiguredCatalogue(self.catalogue, answeredBy: provider), store: store,
            keys: try ServerKeys(masterSecret: masterSecret),
            documents: try documents ?? TokenDocumentSigner(signingWith: self.signingKey.get()),
            uptime: { uptime.now }, report: report, onEnding: onEnding,
            platform: (assertions: ScriptedAssertions(), audience: self.audience, recipient: self.recipient),
            limits: limits)
    }

    func device(_ name: String, appID: String? = nil) -> DeviceContext {
        self.domain.signIns.context(DeviceID(name)!, appID: appID, deviceUser: nil)
    }

    /// The sessions that the provider was told the end of, once all that wait were told.
    func toldSessions() async -> [String] {
        await self.domain.signIns.tellProviders()
        return self.provider.endedSessions
    }

    /// The current sign-in of a device, or a failed test.
    func record(
        of device: String = "box", requestor: RequestorID = Fixture.requestor,
        now: Timestamp = Fixture.now
    ) async throws -> AuthNRecord {
        let standing = try await self.domain.signIns.deviceStanding(
            of: self.device(device), requestor: requestor, now: now)
        guard case .signedIn(let record) = standing else { throw NotSignedIn(standing: standing) }
        return record
    }

    struct NotSignedIn: Error {
        let standing: DeviceStanding
    }
}

var fixture: Fixture { Fixture.$current.lent() }

var domain: Entitlements { fixture.domain }

extension Trait where Self == Lending<Fixture> {
    static var fixture: Self { .fixture() }

    static func fixture(
        manner: ScriptedProvider.Manner = .helpful,
        limits: @escaping @Sendable (inout Entitlements.Limits) -> Void = { _ in },
        options: SQLiteStore.Options = SQLiteStore.Options()
    ) -> Self {
        Lending(Fixture.$current) { body in
            try await Fixture.with(manner: manner, limits: limits, options: options) {
                try await body(Fixture.$current.lent())
            }
        }
    }
}

extension AuthNSelection {
    static func with(_ set: (inout AuthNSelection) -> Void) -> AuthNSelection {
        var selection = AuthNSelection.all
        set(&selection)
        return selection
    }
}

extension ConfiguredCatalogue {
    /// A catalogue all of whose providers answer alike.
    convenience init(_ catalogue: Catalogue, answeredBy provider: any Provider) {
        let providers = catalogue.mvpds.filter { $0.trial == nil }.map { ($0.id, provider) }
        self.init(catalogue, providers: Dictionary(uniqueKeysWithValues: providers))
    }
}
