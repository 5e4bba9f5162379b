import Clientless
import Entitlement
import StoreFixtures
import Testing

@Suite("In every store, the audit log", .stores)
struct AuditTests {
    private let pair = KeyPairRecord(
        publicKey: "k", sealedPrivateKey: [1], requestors: [], isServerToServer: true, created: Fixture.now, ends: nil)
    private let application = ApplicationRecord(
        softwareID: "1", name: "n", version: "v", requestors: [], redirectTargets: [], scopes: [],
        isServerToServer: true, created: Fixture.now, ends: nil)

    @Test("has one entry for each change, the newest first", arguments: StoreUnderTest.all)
    func entries(_ kind: StoreUnderTest) async throws {
        let (store, reader) = try await kind.pair()
        #expect(try await reader.auditEntries(limit: 10) == [])
        try await store.save(Fixture.authentication(1, Fixture.context(1)))
        try await store.save(Fixture.authentication(2, Fixture.context(2)))
        // Kept in the order of the changes, whatever their times.
        let entries = (0..<6).map { Fixture.audit($0, time: Fixture.now - .seconds(Int64(($0 * 4) % 6))) }
        try await store.save(self.pair, audit: entries[0])
        try await store.save(self.application, audit: entries[1])
        _ = try await store.deleteAuthentication(Fixture.authenticationID(1), audit: entries[2])
        _ = try await store.deleteAuthentications(Fixture.context(2), audit: entries[3])
        _ = try await store.resetTrials(
            of: nil, requestor: Fixture.northSport, mvpd: Fixture.cableNova, limit: 10, audit: entries[4])
        #expect(try await store.save([Fixture.rule(1), Fixture.rule(2)], audit: entries[5]))
        #expect(try await reader.auditEntries(limit: 100) == entries.reversed())
        #expect(try await reader.auditEntries(limit: 2) == [entries[5], entries[4]])
        #expect(try await reader.auditEntries(limit: 0) == [])
    }

    @Test("is read as it is selected: by time, and by parts of subject and actor", arguments: StoreUnderTest.all)
    func selection(_ kind: StoreUnderTest) async throws {
        let (store, reader) = try await kind.pair()
        let entries = [
            (3, "client A", "box 00ff"), (1, "user 1000 (Anna)", "account ÄNNE"), (2, "CLIENT b", "box 00FFEE"),
            (2, "a%b_c\\", "100 %"), (4, "", ""), (3, "client A", "account änne"),
        ].map {
            AuditEntry(time: Fixture.now + .seconds($0.0), actor: $0.1, action: "x", subject: $0.2)
        }
        for entry in entries { try await store.log(entry) }
        for selection in Self.selections {
            let wanted = entries.reversed().filter { Self.selects(selection, $0) }
            #expect(try await reader.auditEntries(selection, limit: 9) == wanted, "\(selection)")
            #expect(try await reader.auditEntries(selection, limit: 1) == Array(wanted.prefix(1)))
        }
        // What is selected is what is counted.
        var oldest = AuditSelection()
        oldest.subject = "BOX"
        oldest.until = Fixture.now + .seconds(4)
        #expect(try await reader.auditEntries(oldest, limit: 2) == [entries[2], entries[0]])
    }

    private static var selections: [AuditSelection] {
        let texts: [String?] = [nil, "", "a", "CLIENT", "box 00ff", "ä", "Ä", "%", "_", "\\", "nothing"]
        let times: [Timestamp?] = [nil] + (1...5).map { Fixture.now + .seconds($0) }
        return texts.flatMap { text in
            times.flatMap { time in
                [\AuditSelection.subject, \.actor].flatMap { part in
                    [\AuditSelection.since, \.until].map { moment in
                        var selection = AuditSelection()
                        selection[keyPath: part] = text
                        selection[keyPath: moment] = time
                        return selection
                    }
                }
            }
        }
    }

    /// What the contract says, byte by byte.
    private static func selects(_ selection: AuditSelection, _ entry: AuditEntry) -> Bool {
        func holds(_ text: String, _ part: String?) -> Bool {
            guard let part, !part.isEmpty else { return true }
            let (whole, wanted) = (Self.folded(text), Self.folded(part))
            return whole.indices.contains { whole[$0...].starts(with: wanted) }
        }
        return holds(entry.subject, selection.subject) && holds(entry.actor, selection.actor)
            && selection.since.map { entry.time >= $0 } ?? true && selection.until.map { entry.time < $0 } ?? true
    }

    private static func folded(_ text: String) -> [UInt8] {
        text.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 + 32 : $0 }
    }

    @Test("has none for a record that was not there, and none for a viewer's logout", arguments: StoreUnderTest.all)
    func nothing(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        try await store.save(Fixture.authentication(1, Fixture.context(1)))
        _ = try await store.deleteAuthentication(Fixture.authenticationID(2), audit: Fixture.audit(1))
        _ = try await store.deleteAuthentications(Fixture.context(1), audit: nil)
        #expect(try await store.auditEntries(limit: 10) == [])
    }

    @Test("has its place in no feed of changes", arguments: StoreUnderTest.all)
    func feed(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let position = try await store.latestChange()
        _ = try await store.resetTrials(
            of: nil, requestor: Fixture.northSport, mvpd: Fixture.cableNova, limit: 10, audit: Fixture.audit(1))
        #expect(try await store.latestChange() == position)
    }

    @Test("goes with credentials that are read as they were written", arguments: StoreUnderTest.all)
    func credentials(_ kind: StoreUnderTest) async throws {
        let (store, reader) = try await kind.pair()
        try await store.save(self.pair, audit: Fixture.audit(1))
        try await store.save(self.application, audit: Fixture.audit(2))
        let read = try await reader.credentials()
        #expect(read.keyPairs == [self.pair])
        #expect(read.applications == [self.application])
    }

    @Test("is not shortened by a purge while it is short", arguments: StoreUnderTest.all)
    func purge(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        for number in 0..<20 { try await store.save(self.pair, audit: Fixture.audit(number)) }
        _ = try await store.purge(limit: 100, now: Fixture.now + .seconds(3650 * 86_400))
        #expect(try await store.auditEntries(limit: 100).count == 20)
    }
}
