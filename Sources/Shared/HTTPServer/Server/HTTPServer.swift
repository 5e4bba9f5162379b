import Glibc
import Lifecycle
package import Observability
import POSIX
import Synchronization

/// Listens, and lets a router answer.
///
/// `run()` stops when `StopSignal.current` is given: it stops accepting, runs the hooks of `onStopping` (the owners of
/// held replies complete them there), answers what is still held with 503, finishes what is in flight, and at the
/// latest after `stopTimeout` closes the rest.
package final class HTTPServer: Service {
    private let configuration: HTTPServerConfiguration
    let servedRoutes: ServedRoutes
    private let logger: Logger
    private let accounts: ServerAccounts
    private let metrics: Metrics
    private let addresses = Announcement<[HTTPListenerAddress]>()
    private let stoppingHooks = Mutex<[@Sendable () async -> Void]>([])
    /// `nil` without TLS, and before it listens.
    private let certificate = Mutex<ServedCertificate?>(nil)

    /// Registers the server's counters with `metrics`, which therefore serves one server.
    package init(configuration: HTTPServerConfiguration, router: Router, logger: Logger, metrics: Metrics) {
        self.configuration = configuration
        self.logger = logger.named("http")
        self.metrics = metrics
        self.accounts = ServerAccounts(
            router: router, logger: logger.named("access"), metrics: metrics, rate: configuration.accessLog)
        self.servedRoutes = ServedRoutes(router, accounts: self.accounts)
    }

    /// The addresses it listens on, with the ports the system chose. Waits until it listens.
    ///
    /// - Throws: what `run` throws when it cannot listen.
    package var boundAddresses: [HTTPListenerAddress] { get async throws { try await self.addresses.value } }

    /// Serves other routes from the next request on. A request that has begun ends with the routes it began with, and a
    /// held one with its own.
    ///
    /// Counters know the names of the routes that the server was made with; every other is counted as `other`.
    package func replaceRouter(_ router: Router) { self.servedRoutes.replace(with: router) }

    /// Lets connections that are accepted from now on use another certificate and key. Open ones keep theirs.
    ///
    /// A server without TLS only looks at them.
    ///
    /// - Throws: `HTTPServerError` with `badTLS` when the two cannot be used; then the old ones stay in force.
    package func replaceTLS(_ tls: HTTPServerConfiguration.TLS) throws(HTTPServerError) {
        guard let credentials = TLSCredentials(tls) else { throw .badTLS(tls, address: "certificate") }
        self.certificate.withLock { $0 }?.replace(with: credentials)
    }

    /// Adds something to do when the server stops, after it has stopped accepting and before it answers what is still
    /// held. Hooks run one after another in the order they were added, and are cancelled at `stopTimeout`.
    package func onStopping(_ hook: @escaping @Sendable () async -> Void) {
        self.stoppingHooks.withLock { $0.append(hook) }
    }

    package func waitUntilStarted() async throws { _ = try await self.boundAddresses }

    /// Serves until told to stop; can be called once.
    ///
    /// - Throws: `HTTPServerError` when it cannot listen.
    package func run() async throws {
        let core: ServerCore
        let acceptor: Acceptor
        do {
            core = try self.makeCore()
            acceptor = try self.listen(core)
            try await self.start(acceptor, core)
        } catch {
            self.addresses.make(.failure(error))
            throw error
        }
        let addresses = acceptor.addresses
        self.addresses.make(.success(addresses))
        for address in addresses { self.logger.info("listening", [.address: .text(address.description)]) }
        await StopSignal.current.wait()
        await self.stop(acceptor, core)
    }

    private func makeCore() throws(HTTPServerError) -> ServerCore {
        let requestTime = self.configuration.requestTimeout.wholeMicroseconds
        let limits = RequestLimits(
            bodySize: self.configuration.maximumBodySize, requestTime: requestTime,
            gapTime: requestTime + self.configuration.idleTimeout.wholeMicroseconds)
        let budget = try self.descriptorBudget()
        let lotLimits = ParkingLot.Limits(
            total: budget.held,
            perAddress: DescriptorBudget.share(self.configuration.maximumHeldRequestsPerAddress, of: budget.held),
            time: self.configuration.holdTimeout.wholeMicroseconds)
        guard let lot = ParkingLot(limits: lotLimits, accounts: self.accounts) else { throw .tooManyFiles }
        let connections = ConnectionWatch(
            limit: budget.connections,
            limitPerAddress: DescriptorBudget.share(
                self.configuration.maximumConnectionsPerAddress, of: budget.connections),
            limitPerUser: self.configuration.maximumConnectionsPerUser)
        let inFlight = InFlight()
        self.metrics.show(lot, connections, inFlight, budget)
        return ServerCore(
            routes: self.servedRoutes, limits: limits, accounts: self.accounts, connections: connections,
            inFlight: inFlight, lot: lot, identifiesPeers: self.configuration.identifiesPeers)
    }

    /// Shares the descriptors of the process out, and warns where they are fewer than the configuration allows.
    private func descriptorBudget() throws(HTTPServerError) -> DescriptorBudget {
        let limit = ThisProcess.openFileLimit
        // The event sets of the acceptor and of the parking lot have two descriptors each; every address has a socket,
        // and every thread two.
        let own = 4 + self.configuration.addresses.count * (1 + 2 * self.threadsPerAddress)
        let open = (ThisProcess.openFileCount ?? 32) + own
        let reserve = self.configuration.reservedDescriptors
        let budget = DescriptorBudget(
            limit: limit, open: open, reserve: reserve, connections: self.configuration.maximumConnections,
            held: self.configuration.maximumHeldRequests)
        guard let budget else { throw .tooFewFiles(limit: limit, open: open, reserve: reserve) }
        if budget.isReduced {
            self.logger.warning(
                "the process may open too few files for the limits of the configuration",
                [
                    .limit: .number(limit), .connections: .number(budget.connections), .held: .number(budget.held),
                ])
        }
        return budget
    }

    private var threadsPerAddress: Int {
        min(max(self.configuration.threads ?? sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1), 256)
    }

    /// Binds every address before the first connection is served: a server that listens on half of its addresses
    /// is worse than no server.
    private func listen(_ core: ServerCore) throws(HTTPServerError) -> Acceptor {
        var listeners: [Acceptor.Listener] = []
        do throws(HTTPServerError) {
            for address in self.configuration.addresses { listeners.append(try self.listen(on: address, core)) }
            guard let acceptor = Acceptor(listeners, core: core) else { throw .tooManyFiles }
            return acceptor
        } catch {
            for listener in listeners { listener.stop() }
            throw error
        }
    }

    private func listen(
        on address: HTTPListenerAddress, _ core: ServerCore
    ) throws(HTTPServerError) -> Acceptor.Listener {
        let socket = try ListenSocket.listening(on: address)
        let tls = address.port == nil ? nil : self.configuration.tls
        let certificate = try tls.map { (tls) throws(HTTPServerError) in
            try self.servedCertificate(tls, address.description)
        }
        var daemons: [Daemon] = []
        for _ in 0..<self.threadsPerAddress {
            let daemon = Daemon.start(
                core: core, configuration: self.configuration, tls: tls, certificate: certificate)
            guard let daemon else {
                let number = errno
                for daemon in daemons { daemon.stop() }
                throw tls.map { .badTLS($0, address: address.description) }
                    ?? HTTPServerError(code: .failed, address: address.description, errno: number, detail: nil)
            }
            daemons.append(daemon)
        }
        return Acceptor.Listener(socket: socket, usesTLS: tls != nil, daemons: daemons)
    }

    /// The certificate that all addresses serve.
    private func servedCertificate(
        _ tls: HTTPServerConfiguration.TLS, _ address: String
    ) throws(HTTPServerError) -> ServedCertificate {
        if let certificate = self.certificate.withLock({ $0 }) { return certificate }
        guard let credentials = TLSCredentials(tls) else { throw .badTLS(tls, address: address) }
        let certificate = ServedCertificate(credentials)
        self.certificate.withLock { $0 = certificate }
        return certificate
    }

    /// The server's own two threads: one accepts; one waits for clients that leave while they are held, and looks for
    /// requests that do not end.
    private func start(_ acceptor: Acceptor, _ core: ServerCore) async throws(HTTPServerError) {
        let holdTime = self.configuration.holdTimeout.wholeMicroseconds
        let interval = self.configuration.watchInterval.wholeMicroseconds
        let isWatching = startThread {
            core.lot.watch(every: interval, unless: { core.connections.isEmpty }) { now in
                core.connections.shutDownLate(at: now)
                core.suspensions.answerForgotten(before: now - holdTime, with: ParkingLot.unavailable)
            }
        }
        guard isWatching else {
            for listener in acceptor.listeners { listener.stop() }
            throw .tooManyThreads
        }
        guard startThread({ acceptor.run() }) else {
            await core.lot.stop()
            for listener in acceptor.listeners { listener.stop() }
            throw .tooManyThreads
        }
    }

    private func stop(_ acceptor: Acceptor, _ core: ServerCore) async {
        let end = ContinuousClock.now + self.configuration.stopTimeout
        core.beginStopping()
        await acceptor.stop()
        for hook in self.stoppingHooks.withLock({ $0 }) {
            try? await withTimeout(end - .now, hook)
        }
        core.lot.empty()
        core.suspensions.closeHeld(answering: ParkingLot.unavailable)
        let isDrained: Void? = try? await withTimeout(end - .now) { await core.inFlight.drain() }
        if isDrained == nil || Task.isCancelled {
            self.logger.warning("requests were cut off", [.count: .number(core.inFlight.value)])
        }
        core.suspensions.close(answering: ParkingLot.unavailable)
        await withCheckedContinuation { continuation in
            // Waiting for connections and joining threads block, so they happen on a thread that may be blocked.
            let end: @Sendable () -> Void = {
                core.connections.endAll()
                for listener in acceptor.listeners { listener.stop() }
                continuation.resume()
            }
            if !startThread(end) { end() }
        }
        await core.lot.stop()
    }
}

extension Duration {
    /// Whole microseconds, rounded towards zero.
    fileprivate var wholeMicroseconds: Int {
        let (seconds, attoseconds) = self.components
        return Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000)
    }
}
