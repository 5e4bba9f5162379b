import Entitlement
import Glibc
import StoreFixtures
import Stores

/// Writes until no file may grow any more, and goes on when they may again.
///
/// The limit is the process's own (`RLIMIT_FSIZE`), so it needs no file system of its own and no privilege; the system
/// answers a write beyond it with `EFBIG`.
struct DiskFiller {
    /// The most bytes a file may have.
    let limit: UInt64

    func run(_ file: String) async throws(StoreError) {
        let store = try await SQLiteStore.open(file)
        // Else the system ends the process.
        _ = signal(SIGXFSZ, SIG_IGN)
        self.allow(self.limit)
        var number = 0
        do throws(StoreError) {
            while number < 100_000 {
                try await Self.keep(number, in: store)
                number += 1
            }
        } catch {
            say("\(error.code) \(number)")
        }
        // Reading goes on, and so does refusing.
        let first = try await store.code(Fixture.code(0))
        say(first == nil ? "lost" : "readable")
        do throws(StoreError) { try await Self.keep(number, in: store) } catch { say("\(error.code) \(number)") }

        self.allow(UInt64.max)
        try await Self.keep(number, in: store)
        say("recovered \(number)")
        await store.close()
    }

    private static func keep(_ number: Int, in store: SQLiteStore) async throws(StoreError) {
        try await store.keep(Fixture.record(number, device: number))
    }

    private func allow(_ bytes: UInt64) {
        var limit = rlimit()
        unsafe getrlimit(__rlimit_resource_t(1), &limit)  // RLIMIT_FSIZE, which is 1 on Linux and not imported
        limit.rlim_cur = min(rlim_t(bytes), limit.rlim_max)
        unsafe setrlimit(__rlimit_resource_t(1), &limit)
    }
}
