import Clientless
package import Entitlement
import FoundationEssentials
package import HTTPServer
package import Lifecycle
import Observability
import POSIX
import Places
import ServerAPI
import Synchronization

/// The server, put together and not yet running.
package struct ServerAssembly: Sendable {
    package let domain: Entitlements
    package let server: HTTPServer
    let keyRing: KeyRing
    let clients: ProviderClients
    let logos: LogoKeeper
    let places = PlaceBook()
    let parts: Parts
    let live: LiveConfiguration
    /// Given when the server is about to go.
    let stopping: StopSignal
    /// When the certificate ends that is in force; 0 without one.
    let certificateEnd: Gauge
    /// Whether sign-ins with the accounts of devices' operating systems are taken.
    let hasPlatform: Bool
    /// In the order they start; they stop in reverse.
    package let services: [ServiceGroup.Member]

    package struct Parts: Sendable {
        var configuration: Configuration
        let keys: KeyFolder.Contents
        let store: any Store
        /// `nil` for the addresses of the configuration.
        var listen: [HTTPListenerAddress]?
        var tls: HTTPServerConfiguration.TLS?
        let logger: Logger
        var metrics = Metrics()
        var now: @Sendable () -> Timestamp = SystemClock.now
    }

    /// Puts the parts together and reads into memory what the first request needs.
    /// - Throws: `EntitlementError` when the store does not answer, `OperatorError` when a file the catalogue names
    ///   cannot be used.
    package init(_ parts: Parts) async throws {
        let configuration = parts.configuration
        let catalogue = try configuration.completeCatalogue()
        let keys = KeyRing(
            parts.keys, rules: Self.keyRules(catalogue, lead: configuration.keys.lead, parts), now: parts.now)
        let platform = try Configuration.whole { configuration.platformExchange(for: catalogue, &$0) }
        let evidence = Evidence(parts.metrics, logger: parts.logger, uptime: SystemClock.uptime)
        let clients = ProviderClients(logger: parts.logger)
        let logos = LogoKeeper(
            clients.exchange(ProviderClients.Transport()), logger: parts.logger, uptime: SystemClock.uptime)
        let notices = try Self.boxNotices(configuration, clients, parts.logger)
        logos.follow(configuration.logoSources)
        self.places.follow(configuration.placesPath, logger: parts.logger)
        let domain = Entitlements(
            try Self.configured(catalogue, of: configuration, parts, clients), store: parts.store,
            keys: parts.keys.serverKeys, documents: keys.documentSigner,
            uptime: SystemClock.uptime, report: evidence.take,
            onEnding: EndingsFile(beside: configuration.storeFile).following { [logger = parts.logger] error in
                logger.warning("after a restore an ending would not be known", [.detail: .text(error.sentence)])
            },
            onBoxAdded: notices?.tell, platform: platform, limits: Self.limits(configuration))
        let position = try await domain.upkeep.start(now: parts.now())
        let stopping = StopSignal()
        let faces = try Self.faces(domain, parts, keys, logos: logos.shelf, places: self.places, stopping: stopping)
        let server = Self.server(parts, faces)
        let upkeep = DomainUpkeep(domain, from: position, logger: parts.logger, metrics: parts.metrics, now: parts.now)
        Self.publish(parts.store, configuration, in: parts.metrics)
        evidence.publish(domain, in: parts.metrics)
        (self.certificateEnd, self.live) = (Self.certificateEnd(parts), LiveConfiguration(configuration))
        (self.domain, self.server, self.keyRing, self.clients) = (domain, server, keys, clients)
        (self.logos, self.parts, self.stopping, self.hasPlatform) = (logos, parts, stopping, platform != nil)
        self.services = Self.members(parts, keys, clients, logos, upkeep, notices, server)
        // Held polls are answered as pending before the server would end them (sdk-services 8).
        server.onStopping {
            stopping.give()
            await upkeep.answerHeldPolls()
        }
    }

    private static func members(
        _ parts: Parts, _ keys: KeyRing, _ clients: ProviderClients, _ logos: LogoKeeper, _ upkeep: DomainUpkeep,
        _ notices: BoxNotices?, _ server: HTTPServer
    ) -> [ServiceGroup.Member] {
        let watch = KeyWatch(
            folder: parts.configuration.keyFolder, ring: keys, keys: parts.keys.serverKeys,
            logger: parts.logger.named("keys"))
        let services: [(StaticString, (any Service)?)] = [
            ("store", StoreService(store: parts.store)), ("keys", watch), ("providers", clients), ("logos", logos),
            ("pairing", upkeep), ("box-notices", notices), ("http", server),
        ]
        return services.compactMap { name, service in service.map { (name, $0) } }
    }

    private static func certificateEnd(_ parts: Parts) -> Gauge {
        let end = parts.metrics.gauge(
            "latchkey_certificate_end_seconds",
            help: "When the server's own certificate ends, in seconds since 1970; 0 without one.")
        end.set(Self.end(of: parts.tls))
        return end
    }

    static func end(of tls: HTTPServerConfiguration.TLS?) -> Int { tls?.lifetime.map { Int($0.upperBound) } ?? 0 }

    /// The messenger of new boxes; `nil` if nothing is told.
    /// - Throws: when its token cannot be used.
    private static func boxNotices(
        _ configuration: Configuration, _ clients: ProviderClients, _ logger: Logger
    ) throws(OperatorError) -> BoxNotices? {
        guard let settings = configuration.boxes.newBox else { return nil }
        let token = try settings.token.map { (file) throws(OperatorError) in
            do throws(OperatorError) {
                return try BoxNoticeSettings.token(in: configuration.content(of: file), configuration.path(file.name))
            } catch {
                throw error.at(file.setting)
            }
        }
        let transport = ProviderClients.Transport(authorities: settings.authorities?.name)
        return BoxNotices(
            settings.address, token: token, time: settings.time, publicURL: configuration.server.publicURL,
            exchange: clients.exchange(transport.located { configuration.path($0) }), logger: logger)
    }

    private static func limits(_ configuration: Configuration) -> Entitlements.Limits {
        var limits = configuration.pairing
        let account = limits.passwords.account
        limits.passwords = PasswordGuessing.Settings(cores: ProcessInfo.processInfo.activeProcessorCount)
        limits.passwords.account = account
        // An operator who does not throttle calls does not bound what they make either.
        if configuration.calls.api.throttle == nil {
            limits.issuance = nil
            limits.trials = nil
            limits.registrations = nil
        }
        return limits
    }

    /// How the signing keys are used. Former rules are kept beside the store: what was signed then still counts.
    static func keyRules(_ catalogue: Catalogue, lead: Duration, _ parts: Parts) -> KeyRing.Rules {
        let memory = DocumentLivesFile(beside: parts.configuration.storeFile)
        return (lead, memory.taking(DocumentLives.longest(of: catalogue), at: parts.now(), parts.logger))
    }

    /// How the store's writer fares, where transactions by commits is the mean batch, and how old the last backup is.
    private static func publish(_ store: any Store, _ configuration: Configuration, in metrics: Metrics) {
        metrics.gauge(
            "latchkey_last_backup_seconds",
            help: "When the last backup was complete, in seconds since 1970; 0 if none is known."
        ) { Int(BackupCommand.lastSuccess(of: configuration) ?? 0) }
        if let file = configuration.shownStoreFile { self.publishSize(ofStore: file, in: metrics) }
        guard let store = store as? any EmbeddedStore else { return }
        metrics.counter("store_commits_total", help: "Commits of the store that were tried.") {
            store.statistics.commits
        }
        metrics.counter("store_transactions_total", help: "Callers' transactions in the store's commits.") {
            store.statistics.transactions
        }
        metrics.gauge("store_queued_transactions", help: "Callers' transactions that wait for a commit of the store.") {
            let statistics = store.statistics
            return max(0, statistics.accepted - statistics.transactions)
        }
    }

    static func publishSize(ofStore file: String, in metrics: Metrics) {
        metrics.gauge("latchkey_store_bytes", help: "Bytes of the store's file and of its write-ahead log.") {
            [file, file + "-wal"].reduce(0) { $0 + ((try? FileStatus(of: $1, followsLinks: true))?.size ?? 0) }
        }
    }

    private static func server(_ parts: Parts, _ faces: Faces) -> HTTPServer {
        var configuration = parts.configuration.server.http
        if let listen = parts.listen { configuration.addresses = listen }
        configuration.tls = parts.tls
        configuration.maximumHeldRequests = parts.configuration.pairing.waiting
        return HTTPServer(
            configuration: configuration, router: faces.router(), logger: parts.logger, metrics: parts.metrics)
    }
}

/// The configuration in force; that of the parts is the one of the start.
final class LiveConfiguration: Sendable {
    private let inForce: Mutex<Configuration>

    init(_ configuration: Configuration) { self.inForce = Mutex(configuration) }

    var current: Configuration { self.inForce.withLock { $0 } }
    func replace(_ next: Configuration) { self.inForce.withLock { $0 = next } }
}

private struct StoreService: Service {
    let store: any Store

    func run() async throws {
        await StopSignal.current.wait()
        await self.store.close()
    }
}
