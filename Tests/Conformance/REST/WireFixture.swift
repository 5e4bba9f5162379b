import Clientless
import Cryptography
import Entitlement
import HTTPClient
import HTTPServer
import Lending
import Lifecycle
import Observability
import ServerAPI
import Stores
import TestSupport
import Testing
import latchkeyd

/// A server on a port of its own, with its store in a folder of its own and a clock the test moves.
struct WireFixture: Sendable {
    let base: String
    let clock: TestClock
    let store: any EmbeddedStore
    let domain: Entitlements
    private let providers: WatchedProviders
    let accessTokens: AccessTokens
    let metrics: Metrics
    let client: HTTPClient
    let stop: StopSignal

    var provider: WatchedProvider { self.providers[Self.provider] }
    var otherProvider: WatchedProvider { self.providers[Self.otherProvider] }

    typealias Save = (_ store: any Store, _ keys: ServerKeys) async throws -> Void

    @TaskLocal static var current: WireFixture?

    static let issuer = "https://tve.example.net"
    static let mediaKey = Result { try RSAPrivateKey.generate() }
    static let statementKey = Result { try RSAPrivateKey.generate() }

    /// Runs a server for as long as `body` does.
    /// - Parameters:
    ///   - save: keeps what callers prove themselves with.
    ///   - documents: what signs and accepts token documents; `mediaKey` alone when none.
    ///   - folder: where an earlier server left its store; a new one when none.
    static func serve(
        settings change: (inout APISettings) -> Void = { _ in },
        limits changeLimits: (inout Entitlements.Limits) -> Void = { _ in },
        catalogue: Catalogue = WireFixture.catalogue,
        credentials save: @escaping Save = WireFixture.saveCredentials, documents: TokenDocumentSigner? = nil,
        in folder: TemporaryFolder? = nil, _ body: @escaping @Sendable (WireFixture) async throws -> Void
    ) async throws {
        var settings = APISettings(publicURL: self.issuer)
        change(&settings)
        var limits = Entitlements.Limits()
        changeLimits(&limits)
        let (ready, bounds) = (settings, limits)
        let folder = try folder ?? TemporaryFolder()
        // A test that has a server and starts another takes no second slot: such tests would wait for one another.
        guard self.current == nil else {
            return try await self.serve(ready, bounds, catalogue, save, documents, folder, body)
        }
        try await ServerSlots.shared.use {
            try await self.serve(ready, bounds, catalogue, save, documents, folder, body)
        }
    }

    private static func serve(
        _ settings: APISettings, _ limits: Entitlements.Limits, _ catalogue: Catalogue, _ save: Save,
        _ documents: TokenDocumentSigner?,
        _ folder: TemporaryFolder, _ body: @escaping @Sendable (WireFixture) async throws -> Void
    ) async throws {
        let store = try await SQLiteStore.open(folder.file("store.sqlite"))
        let keys = try ServerKeys(masterSecret: Secret(Array(repeating: 7, count: ServerKeys.masterSecretSize)))
        try await save(store, keys)
        try await self.saveAccounts(in: store, of: catalogue)
        let providers = WatchedProviders(catalogue, store)
        let clock = TestClock()
        let domain = Entitlements(
            ConfiguredCatalogue(catalogue, providers: providers.all), store: store, keys: keys,
            documents: try documents ?? TokenDocumentSigner(signingWith: self.mediaKey.get()),
            uptime: { .milliseconds(clock.now.milliseconds) },
            platform: (
                assertions: AcceptedAssertions(), audience: self.issuer,
                recipient: "\(self.issuer)/sp/saml/SAMLAssertionConsumer"
            ),
            limits: limits)
        try await self.run(settings, domain, providers, store, clock, body)
        await store.close()
    }

    private static func run(
        _ settings: APISettings, _ domain: Entitlements, _ providers: WatchedProviders, _ store: any EmbeddedStore,
        _ clock: TestClock, _ body: @escaping @Sendable (WireFixture) async throws -> Void
    ) async throws {
        let (metrics, stop) = (Metrics(), StopSignal())
        let position = try await domain.upkeep.start(now: clock.now)
        let accessTokens = AccessTokens(signingKey: try ECPrivateKey.generate(), issuer: self.issuer)
        let router = try self.router(domain, settings, accessTokens, metrics, clock, stop)
        let server = HTTPServer(
            configuration: HTTPServerConfiguration(addresses: [.tcp(host: "127.0.0.1", port: 0)]), router: router,
            logger: .silent, metrics: metrics)
        let upkeep = DomainUpkeep(domain, from: position, logger: .silent, now: { clock.now })
        // As in the server program: what is held has its answer before the server would end it.
        server.onStopping { await upkeep.answerHeldPolls() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await StopSignal.$current.withValue(stop) { try await server.run() } }
            group.addTask { try await StopSignal.$current.withValue(stop) { try await upkeep.run() } }
            defer { stop.give() }
            guard let port = try await server.boundAddresses.first?.port else { throw NoAddress() }
            let client = HTTPClient()
            let fixture = WireFixture(
                base: "http://127.0.0.1:\(port)", clock: clock, store: store, domain: domain,
                providers: providers, accessTokens: accessTokens, metrics: metrics, client: client, stop: stop)
            try await Self.$current.withValue(fixture) { try await body(fixture) }
            await client.shutDown()
        }
    }

    private static func router(
        _ domain: Entitlements, _ settings: APISettings, _ accessTokens: AccessTokens, _ metrics: Metrics,
        _ clock: TestClock, _ stop: StopSignal
    ) throws -> Router {
        let (pem, key) = (try self.mediaKey.get().verificationKey.pem(), try self.statementKey.get())
        var parts = Faces.Parts(
            domain: domain, settings: settings, accessTokens: accessTokens,
            statementKeys: { [key.publicKey] }, mediaTokenKeys: { pem },
            isStopping: { stop.isGiven }, metrics: metrics, logger: .silent, now: { clock.now })
        parts.statementKey = { key }
        return try Faces(parts).router()
    }

    private struct NoAddress: Error {}
}

var wire: WireFixture { WireFixture.$current.lent() }

extension Trait where Self == Lending<WireFixture> {
    static var wire: Self { .wire() }

    static func wire(
        settings change: @escaping @Sendable (inout APISettings) -> Void = { _ in },
        limits: @escaping @Sendable (inout Entitlements.Limits) -> Void = { _ in },
        catalogue: Catalogue = WireFixture.catalogue
    ) -> Self {
        Lending(WireFixture.$current) {
            try await WireFixture.serve(settings: change, limits: limits, catalogue: catalogue, $0)
        }
    }
}
