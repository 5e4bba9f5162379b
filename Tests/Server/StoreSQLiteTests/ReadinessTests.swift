import Entitlement
import Glibc
import StoreFixtures
import TestSupport
import Testing

@testable import Stores

@Suite("A SQLite store says whether it could keep a change", .store)
struct ReadinessTests {
    @Test("while another program holds the file, and after it let go", .store { $0.busyTimeout = .milliseconds(20) })
    func locked() async throws {
        try await store.readiness()
        let blocker = try SQLiteConnection(opening: file)
        try blocker.run("BEGIN IMMEDIATE")
        await #expect { try await store.readiness() } throws: {
            ($0 as? StoreError)?.code == .unavailable && ($0 as? StoreError)?.code.isPassing == true
        }
        // Reads go on, and what cannot be kept says that it may be held in memory.
        #expect(try await store.code(Fixture.code(1)) == nil)
        await #expect {
            _ = try await store.takeNonce("n", publicKey: "k", expires: Fixture.now, now: Fixture.now)
        } throws: {
            ($0 as? StoreError)?.code.isPassing == true
        }
        try blocker.run("ROLLBACK")
        try await store.readiness()
    }

    @Test func `when its file was deleted, moved away or replaced, and when it is back`() async throws {
        try await store.readiness()
        func expectMoved() async {
            await #expect { try await store.readiness() } throws: {
                ($0 as? StoreError)?.code == .moved && ($0 as? StoreError)?.detail.contains(file) == true
            }
        }
        #expect(unsafe rename(file, "\(folder)/elsewhere") == 0)
        await expectMoved()
        try await SQLiteStore.open(file).close()
        await expectMoved()
        #expect(unsafe rename("\(folder)/elsewhere", file) == 0)
        try await store.readiness()
        #expect(unsafe unlink(file) == 0)
        await expectMoved()
    }

    @Test("on a full disk, and when there is room again", .enabled(if: SmallFileSystem.isAvailable))
    func fullDisk() async throws {
        let folder = try TemporaryFolder()
        try #require(SmallFileSystem.mount(folder.path, megabytes: 4))
        defer { SmallFileSystem.unmount(folder.path) }
        let store = try await SQLiteStore.open(folder.file("store.sqlite"))
        SmallFileSystem.fill(folder.path)
        var failure: StoreError?
        for _ in 0..<1000 where failure == nil {
            do throws(StoreError) { try await store.readiness() } catch { failure = error }
        }
        #expect(failure?.code == .full, "\(failure?.debugDescription ?? "")")
        SmallFileSystem.makeRoom(folder.path)
        try await store.readiness()
        await store.close()
    }
}
