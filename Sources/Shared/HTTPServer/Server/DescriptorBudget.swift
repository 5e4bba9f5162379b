import Glibc

/// How many sockets a server may have open at a time, so that the process never runs out of descriptors.
///
/// Running out would not only refuse a connection. libdispatch opens `/proc/self/task/…/stat` about once a second, for
/// each thread of its pool, and ends the process when it cannot; SQLite cannot open a journal, and libcurl no socket.
/// So connections and held requests are admitted below the limit less what is open when the server starts and less a
/// reserve for what the process opens later.
struct DescriptorBudget: Equatable {
    /// Connections that libmicrohttpd may serve at a time.
    let connections: Int
    /// Sockets of held requests and of answers that are not read yet.
    let held: Int
    /// The configuration allows connections that need more descriptors than the process has.
    let isReduced: Bool

    /// Below this many of each, a server is of no use.
    static let least = 16

    /// - Parameters:
    ///   - limit: descriptors the process may have.
    ///   - open: descriptors that are open when the server has started.
    ///   - reserve: descriptors that sockets leave to the rest of the process.
    /// - Returns: `nil` when the limit leaves less than the least.
    init?(limit: Int, open: Int, reserve: Int, connections: Int, held: Int) {
        let free = limit - open - reserve
        guard free >= 2 * Self.least else { return nil }
        // A request that is held leaves its connection, so both shares are needed: neither may take the other's.
        self.connections = min(connections, max(free / 2, free - max(held, Self.least)))
        self.held = min(held, free - self.connections)
        self.isReduced = self.connections < connections || self.held < held
    }

    /// The bound of one address: at most half of all, so that one address never takes everything. 0 is no limit.
    static func share(_ limit: Int, of total: Int) -> Int { limit == 0 ? 0 : min(limit, max(1, total / 2)) }
}
