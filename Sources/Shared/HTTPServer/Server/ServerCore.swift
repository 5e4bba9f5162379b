import Synchronization

/// The state that all listener threads of a server share.
final class ServerCore: Sendable {
    let routes: ServedRoutes
    let limits: RequestLimits
    let accounts: ServerAccounts
    let connections: ConnectionWatch
    let inFlight: InFlight
    let suspensions = Suspensions()
    let lot: ParkingLot
    let identifiesPeers: Bool
    private let stopping = Atomic<Bool>(false)

    init(
        routes: ServedRoutes, limits: RequestLimits, accounts: ServerAccounts, connections: ConnectionWatch,
        inFlight: InFlight, lot: ParkingLot, identifiesPeers: Bool
    ) {
        self.routes = routes
        self.limits = limits
        self.accounts = accounts
        self.connections = connections
        self.inFlight = inFlight
        self.lot = lot
        self.identifiesPeers = identifiesPeers
    }

    /// Whether answers end their connections.
    var isStopping: Bool { self.stopping.load(ordering: .relaxed) }

    func beginStopping() { self.stopping.store(true, ordering: .relaxed) }
}

struct RequestLimits: Sendable {
    /// Bytes of body a handler may get.
    let bodySize: Int
    /// Microseconds from the request line to the last byte of the body.
    let requestTime: Int
    /// Microseconds from one request to the next request line: the idle time, and a request's.
    let gapTime: Int

    /// Bytes of a body that is too long which are read and thrown away, so that a client that writes everything before
    /// it reads gets to see its 413 instead of a reset connection.
    var discardedSize: Int { 64 * self.bodySize }
}
