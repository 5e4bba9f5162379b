import Clientless
import Entitlement
import PostgresServer
import StoreFixtures
import Stores
import Synchronization
import TestSupport
import Testing

/// One pair of servers serves all of them, one after the other; what a test took away is replaced before the next one.
@Suite("A store whose primary is lost", .serialized, .timeLimit(.minutes(5)))
struct LostPrimaryTests {
    private static let pair = Task {
        let pair = try await PostgresPair.start()
        try await pair.makeDatabase("latchkey")
        let owner = pair.connection("latchkey", as: PostgresServer.owner)
        _ = try await PostgresStore.migrate(PostgresStore.Options(connection: owner))
        return pair
    }

    private func withStore(
        report: @escaping @Sendable (PrimaryChange) -> Void = { _ in },
        _ body: (PostgresPair, PostgresStore) async throws -> Void
    ) async throws {
        let pair = try await Self.pair.value
        let connection = pair.connection("latchkey", as: PostgresServer.server)
        let store = try await PostgresStore.open(PostgresStore.Options(connection: connection), report: report)
        try await ending({ await store.close() }) { try await body(pair, store) }
    }

    private static let numbers = Mutex(0)

    /// Keeps a code that no other test has.
    private func keep(in store: PostgresStore) async throws(StoreError) -> RegistrationCodeText {
        let number = Self.numbers.withLock { number in
            number += 1
            return number
        }
        let record = try await store.keep(Fixture.record(number, device: number), limit: 9)
        return record.code
    }

    /// Keeps a code as soon as there is a server that takes it.
    private func keepEventually(in store: PostgresStore) async throws -> RegistrationCodeText {
        while true {
            do throws(StoreError) {
                return try await self.keep(in: store)
            } catch {
                try #require(error.code == .unavailable, "\(error)")
            }
        }
    }

    @Test(
        "goes on with the standby, has all that it said was kept, and forgets what it followed",
        arguments: PostgresPair.Loss.allCases)
    func promoted(_ loss: PostgresPair.Loss) async throws {
        try await self.withStore { pair, store in
            // Boxes ask for codes all the time; the store refuses some of them, and lies to none.
            let flag = Flag()
            let position = try await store.latestChange()
            let kept = try await withThrowingTaskGroup(of: [RegistrationCodeText].self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        var kept: [RegistrationCodeText] = []
                        while !flag.isUp {
                            do throws(StoreError) {
                                kept.append(try await self.keep(in: store))
                            } catch {
                                #expect(error.code == .unavailable)
                            }
                        }
                        return kept
                    }
                }
                defer { flag.raise() }
                _ = try await self.keep(in: store)
                try await pair.lose(loss)
                try await pair.promote()
                let first = try await self.keepEventually(in: store)
                // One that was silent and comes back is not believed again.
                try await pair.wake()
                let second = try await self.keep(in: store)
                flag.raise()
                return try await group.reduce(into: [first, second]) { $0 += $1 }
            }
            let codes = try await pair.run(["SELECT code FROM latchkey.codes"], in: "latchkey").split(separator: "\n")
            #expect(Set(kept.map(\.text)).isSubset(of: codes.map(String.init)))
            guard case .gap = try await store.changes(after: position, limit: 9)
            else { return #expect(Bool(false), "the feed went on as if nothing had happened") }
            try await pair.addStandby()
        }
    }

    @Test(
        "moves to a standby that was promoted beside a primary that lives, and leaves that one",
        arguments: [true, false])
    func superseded(isSynchronous: Bool) async throws {
        let changes = Mutex<[PrimaryChange]>([])
        try await self.withStore(report: { change in changes.withLock { $0.append(change) } }) { pair, store in
            _ = try await self.keep(in: store)
            // One whose commits wait for nothing goes on as if it were alone.
            if !isSynchronous {
                try await pair.run(["ALTER SYSTEM SET synchronous_standby_names = ''", "SELECT pg_reload_conf()"])
            }
            try await pair.promote()
            while changes.withLock({ $0.isEmpty }) { _ = await self.answer(of: store) }
            let code = try await self.keepEventually(in: store)
            let codes = try await pair.run(["SELECT code FROM latchkey.codes"], in: "latchkey")
            #expect(codes.split(separator: "\n").contains(Substring(code.text)))
            let change = try #require(changes.withLock { $0.first })
            #expect(changes.withLock { $0.count } == 1)
            #expect(change.reason == .superseded)
            #expect(change.to.timeline == change.from.timeline + 1)
            #expect(change.to.name != change.from.name)
            // What asks it from now on is the one connection that is left, but for commits that were given up.
            while try await pair.run([Self.connections], onOther: true) != "1\n" {}
            try await pair.addStandby()
        }
    }

    private static let connections = """
        SELECT count(*) FROM pg_stat_activity WHERE usename = '\(PostgresServer.server)'
            AND wait_event IS DISTINCT FROM 'SyncRep'
        """

    @Test("is not ready while its server only reads, nor on a standby alone, and is again by itself")
    func readOnly() async throws {
        try await self.withStore { pair, store in
            try await store.readiness()
            try await pair.setReadOnly(true)
            await #expect { try await store.readiness() } throws: { ($0 as? StoreError)?.code == .unavailable }
            try await pair.setReadOnly(false)
            _ = try await self.keepEventually(in: store)
            try await store.readiness()
            let standby = await pair.standbyConnection("latchkey", as: PostgresServer.server)
            await #expect { _ = try await PostgresStore.open(PostgresStore.Options(connection: standby)) } throws: {
                ($0 as? StoreError)?.code == .unavailable
            }
        }
    }

    @Test("does not take for kept what its standby lacks, though the server keeps it when a connection is ended")
    func unreplicated() async throws {
        try await self.withStore { pair, store in
            _ = try await self.keep(in: store)
            try await pair.setStandby(isSilent: true)
            async let answer = self.answer(of: store)
            // The commit waits for the standby; ended, it is kept here alone.
            while try await pair.run([Self.endWaiting]).isEmpty {}
            #expect(await answer == .unavailable)
            // While the standby is gone, calls leave no more connections behind that wait for it.
            for _ in 0..<30 { #expect(await self.answer(of: store) == .unavailable) }
            let waiting = try await pair.run(["SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"])
            #expect((Int(waiting.split(separator: "\n").first ?? "") ?? 99) <= 3)
            try await pair.setStandby(isSilent: false)
            _ = try await self.keepEventually(in: store)
        }
    }

    @Test("does not take for kept what its standby lacks, though the server says so when the wait is cancelled")
    func cancelledWait() async throws {
        try await self.withStore { pair, store in
            _ = try await self.keep(in: store)
            try await pair.setStandby(isSilent: true)
            let flag = Flag()
            async let cancelled = self.cancelWaits(of: pair, until: flag)
            // The commit, and what asks after it: each is told that it is done, with a warning.
            let answer = await self.answer(of: store)
            flag.raise()
            #expect(try await cancelled > 0)
            #expect(answer == .unavailable)
            try await pair.setStandby(isSilent: false)
            _ = try await self.keepEventually(in: store)
        }
    }

    /// Cancels every wait for a standby until the flag is up.
    /// - Returns: how many.
    private func cancelWaits(of pair: PostgresPair, until flag: Flag) async throws -> Int {
        var count = 0
        while !flag.isUp { count += try await pair.run([Self.cancelWaiting]).split(separator: "\n").count }
        return count
    }

    private static let cancelWaiting = """
        SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'
        """

    private static let endWaiting = """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query = 'COMMIT'
        """

    private func answer(of store: PostgresStore) async -> StoreError.Code? {
        await thrown { () async throws(StoreError) in try await self.keep(in: store) }?.code
    }
}
