import Entitlement
import Glibc
import StoreFixtures
import Stores
import TestSupport
import Testing

@Suite("A full disk")
struct FullDiskTests {
    @Test("refuses what does not fit, keeps what it promised, and is forgotten when there is space again")
    func fileSize() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("store.sqlite")
        var child = try StoreWriter("fill", file, "\(2 << 20)")
        let lines = await child.rest()
        #expect(await child.end() == .exited(0))
        try #require(lines.count == 4, "\(lines)")
        let number = try #require(Int(lines[0].split(separator: " ").last ?? ""))
        #expect(number > 0)
        #expect(lines == ["full \(number)", "readable", "full \(number)", "recovered \(number)"])
        try await self.check(file, codes: number + 1)
    }

    /// The same on a file system that is full indeed. Mounting one takes root.
    @Test(.enabled(if: SmallFileSystem.isAvailable)) func `answers as such on a small file system`() async throws {
        let folder = try TemporaryFolder()
        try #require(SmallFileSystem.mount(folder.path, megabytes: 4))
        defer { SmallFileSystem.unmount(folder.path) }
        let file = folder.file("store.sqlite")
        let store = try await SQLiteStore.open(file)
        SmallFileSystem.fill(folder.path)

        var kept = 0
        var failure: StoreError?
        while failure == nil, kept < 100_000 {
            do throws(StoreError) {
                try await self.keep(kept, in: store)
                kept += 1
            } catch {
                failure = error
            }
        }
        #expect(failure?.code == .full, "\(failure?.debugDescription ?? "")")
        SmallFileSystem.makeRoom(folder.path)
        try await self.keep(kept, in: store)
        await store.close()
        try await self.check(file, codes: kept + 1)
    }

    private func keep(_ number: Int, in store: SQLiteStore) async throws(StoreError) {
        try await store.keep(Fixture.record(number, device: number))
    }

    private func check(_ file: String, codes: Int) async throws {
        let store = try await SQLiteStore.open(file)
        #expect(try await store.integrityCheck() == [])
        #expect(try await store.liveCodeCount(now: Fixture.now) == codes)
        for number in 0..<codes { #expect(try await store.code(Fixture.code(number)) != nil) }
        await store.close()
    }
}
