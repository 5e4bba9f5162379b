import Synchronization

/// The routes that a server serves now. They are replaced as a whole.
///
/// A request keeps the table that it found when its request line came: its body, its handler and its answer follow one
/// table, however often the routes are replaced meanwhile.
final class ServedRoutes: Sendable {
    private let current: Mutex<RouteTable>
    private let accounts: ServerAccounts

    init(_ router: Router, accounts: ServerAccounts) {
        self.accounts = accounts
        self.current = Mutex(RouteTable(router, label: accounts.label(ofRoute:)))
    }

    var table: RouteTable { self.current.withLock { $0 } }

    func replace(with router: Router) {
        let new = RouteTable(router, label: self.accounts.label(ofRoute:))
        // The old table is let go of outside the lock: a thousand routes take a while.
        _ = self.current.withLock { current in
            let old = current
            current = new
            return old
        }
    }
}
