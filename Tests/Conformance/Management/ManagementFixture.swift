import Clientless
import Cryptography
import Entitlement
import HTTPClient
import HTTPServer
import Lending
import Lifecycle
import Observability
import Providers
import ServerAPI
import Stores
import TestSupport
import Testing
import WireAnswers

/// A server with the management face and client registration on a port of its own, its store in a folder of its own,
/// and a clock the test moves.
struct ManagementFixture: Sendable {
    let base: String
    let clock: TestClock
    let store: any EmbeddedStore
    let domain: Entitlements
    let accessTokens: AccessTokens
    let client: HTTPClient

    @TaskLocal static var current: ManagementFixture?

    static let issuer = "https://tve.example.net"
    private static let signingKey = Result { try RSAPrivateKey.generate() }
    private static let statementKey = Result { try RSAPrivateKey.generate() }

    /// Runs a server for as long as `body` does.
    /// - Parameter degradationCalls: a minute; none is no limit.
    static func serve(
        degradationCalls: Int? = nil, settings change: (inout APISettings) -> Void = { _ in },
        _ body: @escaping @Sendable (ManagementFixture) async throws -> Void
    ) async throws {
        var settings = APISettings(publicURL: self.issuer)
        change(&settings)
        let folder = try TemporaryFolder()
        let store = try await SQLiteStore.open(folder.file("store.sqlite"))
        let keys = try ServerKeys(masterSecret: Secret(Array(repeating: 7, count: ServerKeys.masterSecretSize)))
        try await self.saveCredentials(in: store, keys: keys)
        try await self.run(settings, degradationCalls, store, keys, body)
        await store.close()
    }

    private static func run(
        _ settings: APISettings, _ degradationCalls: Int?, _ store: any EmbeddedStore, _ keys: ServerKeys,
        _ body: @escaping @Sendable (ManagementFixture) async throws -> Void
    ) async throws {
        let (clock, stop) = (TestClock(), StopSignal())
        let domain = Entitlements(
            ConfiguredCatalogue(
                self.catalogue, providers: [self.provider: LocalProvider(mvpd: self.provider, accounts: store)]),
            store: store, keys: keys,
            documents: TokenDocumentSigner(signingWith: try self.signingKey.get()),
            uptime: { .milliseconds(clock.now.milliseconds) })
        _ = try await domain.upkeep.start(now: clock.now)
        let accessTokens = AccessTokens(signingKey: try ECPrivateKey.generate(), issuer: self.issuer)
        let router = try self.router(domain, settings, accessTokens, degradationCalls, clock)
        let server = HTTPServer(
            configuration: HTTPServerConfiguration(addresses: [.tcp(host: "127.0.0.1", port: 0)]), router: router,
            logger: .silent, metrics: Metrics())
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await StopSignal.$current.withValue(stop) { try await server.run() } }
            defer { stop.give() }
            guard let port = try await server.boundAddresses.first?.port else { throw NoAddress() }
            let client = HTTPClient()
            try await body(
                ManagementFixture(
                    base: "http://127.0.0.1:\(port)", clock: clock, store: store, domain: domain,
                    accessTokens: accessTokens, client: client))
            await client.shutDown()
        }
    }

    private static func router(
        _ domain: Entitlements, _ settings: APISettings, _ accessTokens: AccessTokens, _ degradationCalls: Int?,
        _ clock: TestClock
    ) throws -> Router {
        var settings = settings
        settings.degradationCalls = degradationCalls
        let key = try self.statementKey.get()
        var parts = Faces.Parts(
            domain: domain, settings: settings, accessTokens: accessTokens,
            statements: SoftwareStatementReader(issuer: self.issuer) { [key.publicKey] },
            mediaTokenKeys: { "" }, isStopping: { false }, metrics: Metrics(), logger: .silent, now: { clock.now })
        parts.statementKey = { key }
        return try Faces(parts).router()
    }

    func token(for application: String = ManagementFixture.operations) async throws -> String {
        try await self.newClient(of: application).token
    }

    func newClient(of application: String) async throws -> (id: String, token: String) {
        let statement = try SoftwareStatement(
            softwareID: application, issuer: Self.issuer, issuedAt: self.clock.now, notBefore: self.clock.now
        ).signed(by: Self.statementKey.get())
        let client = try await self.call(.post, "/o/client/register", body: "software_statement=\(statement)")
        let (id, secret) = (client.value("client_id") ?? "", client.value("client_secret") ?? "")
        let token = try await self.call(
            .post, "/o/client/token", body: "grant_type=client_credentials&client_id=\(id)&client_secret=\(secret)")
        guard let text = token.value("access_token") else { throw NoToken(answer: client.text + token.text) }
        return (id, text)
    }

    private struct NoAddress: Error {}
    private struct NoToken: Error { let answer: String }
}

var wire: ManagementFixture { ManagementFixture.$current.lent() }

extension Trait where Self == Lending<ManagementFixture> {
    static var wire: Self { .wire() }

    /// - Parameter degradationCalls: a minute; none is no limit.
    static func wire(degradationCalls: Int? = nil) -> Self {
        Lending(ManagementFixture.$current) {
            try await ManagementFixture.serve(degradationCalls: degradationCalls, $0)
        }
    }
}
