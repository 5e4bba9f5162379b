import Synchronization

/// The routes that a server serves now. They are replaced as a whole.
///
/// A request keeps the table that it found when its request line came: its body, its handler and its answer follow one
/// table, however often the routes are replaced meanwhile.
final class ServedRoutes: Sendable {
    private struct State {
        var listing: [RouteListing]
        var table: RouteTable
    }

    private let state: Mutex<State>
    private let accounts: ServerAccounts

    init(_ router: Router, accounts: ServerAccounts) {
        self.accounts = accounts
        self.state = Mutex(Self.state(router, accounts))
    }

    var table: RouteTable { self.state.withLock { $0.table } }

    var listing: [RouteListing] { self.state.withLock { $0.listing } }

    func replace(with router: Router) {
        let new = Self.state(router, self.accounts)
        // The old table is let go of outside the lock: a thousand routes take a while.
        _ = self.state.withLock { state in
            let old = state
            state = new
            return old
        }
    }

    private static func state(_ router: Router, _ accounts: ServerAccounts) -> State {
        State(listing: router.listing, table: RouteTable(router, label: accounts.label(ofRoute:)))
    }
}
