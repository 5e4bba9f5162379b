import Entitlement
import FoundationEssentials
import Glibc
import StoreFixtures
import Stores
import TestSupport
import Testing

@Suite("Opening a SQLite store", .store)
struct OpeningTests {
    /// The lent store has one account and is closed, so that a test may spoil its file.
    init() async throws {
        try await store.save(Account(mvpd: Fixture.cableNova, name: "anna", passwordHash: "$y$", lineUp: ["*"]))
        await store.close()
    }

    private func expect(_ code: StoreError.Code, opening file: String) async {
        let error = await #expect(throws: StoreError.self) { try await SQLiteStore.open(file).close() }
        #expect(error?.code == code, "\(error?.debugDescription ?? "")")
    }

    private func overwrite(_ file: String, at offset: Int, with bytes: [UInt8]) throws {
        var content = try Data(contentsOf: URL(filePath: file))
        content.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        try content.write(to: URL(filePath: file))
    }

    private func mode(_ path: String) -> mode_t {
        var status = stat()
        #expect(unsafe stat(path, &status) == 0)
        return status.st_mode & 0o777
    }

    @Test func `makes the folder and its files for its owner alone`() async throws {
        let file = "\(folder)/state/store.sqlite"
        let store = try await SQLiteStore.open(file)
        try await store.save(Account(mvpd: Fixture.cableNova, name: "anna", passwordHash: "$y$", lineUp: []))
        #expect(self.mode("\(folder)/state") == 0o700)
        for name in ["store.sqlite", "store.sqlite-wal", "store.sqlite-shm"] {
            #expect(self.mode("\(folder)/state/\(name)") == 0o600)
        }
        await store.close()
        for (owner, mode) in [(65_534, 0o644), (geteuid(), 0o600)] as [(uid_t, mode_t)]
        where [0, owner].contains(geteuid()) {
            _ = unsafe (chown("\(folder)/state", owner, gid_t.max), chmod(file, 0o644))
            try await SQLiteStore.open(file).close()
            #expect(self.mode(file) == mode)
        }
    }

    @Test func `finds what was kept before`() async throws {
        let store = try await SQLiteStore.open(file)
        #expect(try await store.accounts().map(\.name) == ["anna"])
        await store.close()
    }

    @Test func `refuses a file of a newer program and leaves it as it was`() async throws {
        // `user_version` is the 4-byte big-endian number at 60 (sqlite.org/fileformat2.html).
        try self.overwrite(file, at: 60, with: [0, 0, 0, 99])
        let before = try Data(contentsOf: URL(filePath: file))
        await self.expect(.newerSchema, opening: file)
        #expect(try Data(contentsOf: URL(filePath: file)) == before)
    }

    @Test(arguments: [false, true])
    func `refuses a copy beside the log of another store, and leaves both as they were`(
        isClosedAsCopy: Bool
    ) async throws {
        let copy = "\(folder)/copy"
        let old = try await SQLiteStore.open(file)
        try await old.backup(to: copy)
        if isClosedAsCopy { try await SQLiteStore.open(copy).closeAsCopy() }
        try await old.save(Account(mvpd: Fixture.cableNova, name: "bert", passwordHash: "$y$", lineUp: ["*"]))
        let log = try Data(contentsOf: URL(filePath: "\(file)-wal"))
        await old.close()
        let restored = try Data(contentsOf: URL(filePath: copy))
        try restored.write(to: URL(filePath: file))
        try log.write(to: URL(filePath: "\(file)-wal"))

        await self.expect(.foreignLog, opening: file)
        #expect(try Data(contentsOf: URL(filePath: file)) == restored)
        #expect(try Data(contentsOf: URL(filePath: "\(file)-wal")) == log)
        try FileManager.default.removeItem(atPath: "\(file)-wal")
        let store = try await SQLiteStore.open(file)
        #expect(try await store.accounts().map(\.name) == ["anna"])
        await store.close()
    }

    @Test func `refuses a database of another program`() async throws {
        try self.overwrite(file, at: 68, with: [1, 2, 3, 4])
        await self.expect(.damaged, opening: file)
        try self.overwrite(file, at: 68, with: [0, 0, 0, 0])
        await self.expect(.damaged, opening: file)
    }

    @Test(
        "refuses a file that is no database, or whose first page is spoilt",
        arguments: [(0, Array("nothing of the kind".utf8)), (100, [UInt8](repeating: 0xFF, count: 64))])
    func damaged(at offset: Int, bytes: [UInt8]) async throws {
        try self.overwrite(file, at: offset, with: bytes)
        await self.expect(.damaged, opening: file)
    }

    @Test func `finds damage inside when it is asked to look`() async throws {
        let records = (0..<200).map { Fixture.record($0, device: $0) }
        let whole = try await SQLiteStore.open(file)
        for record in records { try await whole.keep(record, limit: 1) }
        #expect(try await whole.integrityCheck() == [])
        await whole.close()
        // The last pages hold codes and their indexes.
        let size = try Data(contentsOf: URL(filePath: file)).count
        for page in 1...8 {
            try self.overwrite(file, at: size - page * 4096, with: [UInt8](repeating: 0xA5, count: 512))
        }
        let store = try await SQLiteStore.open(file)
        #expect(try await store.integrityCheck() != [])
        var codes: Set<StoreError.Code> = []
        for record in records {
            do throws(StoreError) { _ = try await store.code(record.code) } catch { codes.insert(error.code) }
        }
        #expect(codes == [.damaged])
        await store.close()
    }

    @Test func `in a folder that may not be written says so`() async throws {
        let folder = try TemporaryFolder()
        _ = unsafe chmod(folder.path, 0o555)
        for file in ["store.sqlite", "state/store.sqlite"] {
            var child = try StoreWriter("open", folder.file(file), "65534")
            #expect(await child.rest() == ["readOnly"], "\(file)")
        }
        _ = unsafe chmod(folder.path, 0o755)
    }

    @Test func `of a file that may not be written says so`() async throws {
        _ = unsafe (chmod(folder, 0o755), chmod(file, 0o444))
        var child = try StoreWriter("open", file, "65534")
        #expect(await child.rest() == ["readOnly"])
    }

    @Test func `below a folder that does not exist, or of a folder, fails`() async throws {
        await self.expect(.unavailable, opening: "\(folder)/a/b/store.sqlite")
        await self.expect(.unavailable, opening: folder)
    }
}
