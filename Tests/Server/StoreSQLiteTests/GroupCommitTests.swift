import Entitlement
import StoreFixtures
import TestSupport
import Testing

@testable import Stores

@Suite("The writer of a SQLite store", .store, .timeLimit(.minutes(5)))
struct GroupCommitTests {
    /// Holds the file's write lock, so that writes have to gather until it is given back.
    private let blocker: SQLiteConnection

    init() throws {
        self.blocker = try SQLiteConnection(opening: file)
        try self.blocker.run("BEGIN IMMEDIATE")
    }

    private func release() throws { try self.blocker.run("ROLLBACK") }

    private static func client(_ id: String) -> ClientRecord {
        ClientRecord(clientID: id, secretHash: [1], softwareID: "1", redirectURIs: [], created: Fixture.now)
    }

    @Test func `puts what waits into one commit`() async throws {
        try await concurrently(100) {
            try await store.insert(Self.client("\($0)"))
        } meanwhile: {
            while store.statistics.accepted < 100 { await Task.yield() }
            try self.release()
        }
        let statistics = store.statistics
        #expect(statistics.transactions == 100)
        // One was tried before the others came.
        #expect(statistics.commits <= 2 || statistics.largestBatch >= 50)
        #expect(try await store.client("99") != nil)
    }

    @Test func `undoes a failing body and none of its neighbours`() async throws {
        let errors = try await concurrently(20) { number in
            // Ten pairs of the same ID: of each pair one must fail.
            await thrown { try await store.insert(Self.client("\(number / 2)")) }
        } meanwhile: {
            while store.statistics.accepted < 20 { await Task.yield() }
            try self.release()
        }
        #expect(errors.count { $0 != nil } == 10)
        for number in 0..<10 { #expect(try await store.client("\(number)") != nil) }
        #expect(try await store.integrityCheck() == [])
    }

    @Test("refuses more than may wait, and takes more when the line is shorter", .store { $0.maximumWaitingWrites = 5 })
    func bound() async throws {
        try await withThrowingTaskGroup(of: StoreError?.self) { group in
            for number in 0..<30 {
                group.addTask {
                    await thrown { () async throws(StoreError) in try await store.insert(Self.client("\(number)")) }
                }
            }
            // Those refused come back although the lock is held: at most five wait and five are at work.
            var refused = 0
            for _ in 0..<20 {
                let error = try #require(try await group.next())
                #expect(error?.code == .unavailable)
                refused += 1
            }
            try self.release()
            for try await error in group where error != nil { refused += 1 }
            #expect((20...25).contains(refused))
        }
        try await store.insert(Self.client("later"))
    }

    @Test(.store { $0.busyTimeout = .milliseconds(20) })
    func `gives up on a file that another program does not let go, and recovers`() async throws {
        await #expect(throws: StoreError.self) { try await store.insert(Self.client("1")) }
        // Readers do not care.
        #expect(try await store.client("1") == nil)
        try self.release()
        try await store.insert(Self.client("1"))
        #expect(try await store.client("1") != nil)
    }

    @Test func `finishes what is in line when it is closed, and takes nothing after`() async throws {
        try self.release()
        try await concurrently(50) {
            try await store.insert(Self.client("\($0)"))
        } meanwhile: {
            while store.statistics.accepted < 50 { await Task.yield() }
            await store.close()
        }
        await #expect(throws: StoreError.self) { try await store.insert(Self.client("late")) }
        await #expect(throws: StoreError.self) { _ = try await store.client("0") }
        let again = try await SQLiteStore.open(file)
        for number in 0..<50 { #expect(try await again.client("\(number)") != nil) }
        await again.close()
    }
}
