import Lifecycle
import StoreSQLite

/// The store as a service: open before anybody needs it, closed when nobody does any more.
struct StoreService: Service {
    let store: SQLiteStore

    func run() async throws {
        await StopSignal.current.wait()
        await self.store.close()
    }
}
