package import HTTPServer
import Synchronization

/// The places that pages look up. They come while the server runs, so that no page and no start waits for a large file.
package final class PlaceBook: Sendable {
    private let table = Mutex(PlaceTable())

    package init() {}

    /// Looks places up in `table` from now on.
    package func use(_ table: PlaceTable) {
        // The one before is freed after the lock: that takes time, and pages would wait.
        let former = self.table.withLock { current in
            defer { current = table }
            return current
        }
        withExtendedLifetime(former) {}
    }

    /// Where `address` is used; `nil` where that is not known.
    package func place(of address: IPAddress) -> Place? { self.table.withLock { $0.place(of: address) } }
}
