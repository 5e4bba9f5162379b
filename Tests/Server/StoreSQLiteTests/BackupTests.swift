import Entitlement
import FoundationEssentials
import StoreFixtures
import Stores
import TestSupport
import Testing

@Suite("A backup of a SQLite store", .store)
struct BackupTests {
    @Test func `opens as a store and holds what was there, and nothing later`() async throws {
        let copy = "\(folder)/copy.sqlite"
        let records = (0..<50).map { Fixture.record($0, device: $0) }
        for record in records { try await store.keep(record, limit: 1) }
        try await store.save(Account(mvpd: Fixture.cableNova, name: "anna", passwordHash: "$y$", lineUp: ["A"]))
        try await store.backup(to: copy)
        _ = try await store.deleteCode(records[0].code, of: nil)

        #expect(try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions] as? Int == 0o600)
        let restored = try await SQLiteStore.open(copy)
        for record in records { #expect(try await restored.code(record.code) == record) }
        #expect(try await restored.accounts() == store.accounts())
        // Its data have another life: who followed the original has to forget everything here.
        let position = try await store.latestChange()
        #expect(try await restored.changes(after: position, limit: 9) == .gap(position: restored.latestChange()))
        #expect(try await restored.integrityCheck() == [])
        await restored.close()
    }

    @Test(.timeLimit(.minutes(5))) func `is taken while others write, and is whole`() async throws {
        try await concurrently(8) { writer in
            for number in 0..<100 { try await store.keep(Fixture.record(writer * 100 + number, device: number)) }
        } meanwhile: {
            try await concurrently(3) { try await store.backup(to: "\(folder)/copy\($0)") }
        }
        for number in 0..<3 {
            let copy = try await SQLiteStore.open("\(folder)/copy\(number)")
            #expect(try await copy.integrityCheck() == [])
            await copy.close()
        }
    }

    @Test func `never replaces a file, and leaves nothing half done`() async throws {
        try "mine".write(toFile: "\(folder)/copy", atomically: false, encoding: .utf8)
        await #expect(throws: StoreError.self) { try await store.backup(to: "\(folder)/copy") }
        #expect(try String(contentsOfFile: "\(folder)/copy", encoding: .utf8) == "mine")
        #expect(FileManager.default.fileExists(atPath: "\(folder)/copy.partial") == false)
        await #expect(throws: StoreError.self) { try await store.backup(to: "\(folder)/none/copy") }
        // A copy that was cut short.
        try "".write(toFile: "\(folder)/cut.partial", atomically: false, encoding: .utf8)
        let error = await #expect(throws: StoreError.self) { try await store.backup(to: "\(folder)/cut") }
        #expect(error?.detail.hasPrefix("\(folder)/cut.partial is there: ") == true)
    }
}
