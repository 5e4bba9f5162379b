import Clientless
import Entitlement
import FoundationEssentials
import StoreFixtures
import StoreRecords
import Testing

@testable import StoreSQLite

/// A file that the program of schema 3 made, with rows of every kind.
@Suite("A SQLite store of the third schema")
struct ThirdSchemaTests {
    private func withFile(_ body: (_ file: String) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let file = "\(folder)/store.sqlite"
            try StoreFile.prepare(file)
            do {
                let connection = try Connection(opening: file)
                let script = String(decoding: PackageResources.schema3_sql, as: UTF8.self)
                for statement in script.split(separator: "\n-- next\n").dropFirst() {
                    try connection.run(String(statement))
                }
            }
            try await body(file)
        }
    }

    private func counts(_ file: String) throws -> [String: Int64] {
        let connection = try Connection(opening: file)
        let tables = try connection.all(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
        ) { (row) throws(SQLiteFailure) in try row.text() }
        var counts: [String: Int64] = [:]
        for table in tables {
            counts[table] = try connection.first("SELECT count(*) FROM \(table)") { (row) throws(SQLiteFailure) in
                try row.integer()
            }
        }
        return counts
    }

    @Test("keeps every row when it is brought up to date")
    func rows() async throws {
        try await self.withFile { file in
            let before = try self.counts(file)
            #expect(before.values.allSatisfy { $0 > 0 })
            let store = try await SQLiteStore.open(file)
            #expect(try await store.integrityCheck() == [])
            await store.close()
            let after = try self.counts(file)
            for (table, count) in before { #expect(after[table] == count, "\(table)") }
            let new: Set = ["leases", "passkeys", "reports", "set_up_codes", "store_state"]
            #expect(Set(after.keys).subtracting(before.keys) == new)
        }
    }

    @Test("says what it said, with what is new in its ordinary form")
    func contents() async throws {
        try await self.withFile { file in
            let store = try await SQLiteStore.open(file)
            try await self.checkCodes(store)
            try await self.checkSignIns(store)
            try await self.checkCredentials(store)
            try await self.checkOperations(store)
            await store.close()
        }
    }

    private func checkCodes(_ store: SQLiteStore) async throws {
        let states: [RegistrationCode.State] = [
            .waiting(refusal: "no"), .loggingIn, .confirming, .completed(Fixture.authenticationID(5)), .declined,
            .cancelled, .expired,
        ]
        for (number, state) in states.enumerated() {
            let record = Fixture.record(
                Fixture.code(number), device: number, appID: "app", deviceUser: "üser", state: state)
            #expect(try await store.code(record.code) == record)
        }
        #expect(try await store.code(Fixture.code(10))?.version == 1)
        let attempt = Fixture.attempt(
            1, code: Fixture.code(10), progress: .accepted(sealedLogin: [1, 0, 255]))
        #expect(try await store.attempt(attempt.id, now: Fixture.now) == attempt)
        var answered = attempt
        answered.progress = .answered
        #expect(try await store.update(answered))
        #expect(try await store.attempt(attempt.id, now: Fixture.now)?.progress == .answered)
        #expect(try await store.liveCodeCount(now: Fixture.now) == 4)
        let isFresh = try await store.takeNonce(
            "nonce", publicKey: "k", expires: Fixture.now + .seconds(900), now: Fixture.now)
        #expect(!isFresh)
    }

    private func checkSignIns(_ store: SQLiteStore) async throws {
        let first = Fixture.authentication(1, Fixture.context(1), code: Fixture.code(10))
        let second = Fixture.authentication(
            2, Fixture.context(1), isExclusive: true, mvpd: Fixture.skyPeak, created: Fixture.now + .seconds(5))
        let third = Fixture.authentication(
            3, Fixture.context(1, appID: "app", deviceUser: "u"), requestor: Fixture.southNews, isExclusive: true,
            origin: .temporaryPass)
        let fourth = Fixture.authentication(4, Fixture.context(2), origin: .platform)
        #expect(try await store.authentications(of: Fixture.device(1)) == [second, third, first])
        #expect(try await store.authentications(of: Fixture.device(2)) == [fourth])
        for (record, resource) in [(first, "North Sport HD"), (third, "South News"), (fourth, "<rss>ü</rss>")] {
            let decision = Fixture.authorization(record, Fixture.resource(resource), origin: .degraded)
            let found = try await store.authorizations(
                of: record.id, requestor: decision.requestor, resources: [decision.resource])
            #expect(found == [decision])
        }
        // What refers to a sign-in still goes with it.
        _ = try await store.deleteAuthentication(fourth.id, audit: nil)
        #expect(try await store.authorizations(of: Fixture.device(2)) == [])
    }

    private func checkCredentials(_ store: SQLiteStore) async throws {
        let credentials = try await store.credentials()
        #expect(credentials.keyPairs.map(\.publicKey) == ["key"])
        #expect(credentials.keyPairs.first?.requestors == [Fixture.northSport, Fixture.southNews])
        #expect(credentials.applications.first?.redirectTargets == ["sport.example", "hcplayer"])
        let client = try #require(try await store.client("client"))
        #expect(client.redirectURIs == ["app://x", "b://y"])
        // It is not known when it was used last, so it is as if it had just been.
        #expect(client.lastUsed >= client.created)
        // The viewer's pseudonym comes from the ID, and stays.
        #expect(
            try await store.accounts() == [
                Account(
                    mvpd: Fixture.cableNova, id: "anna", name: "anna", passwordHash: "$y$anna", lineUp: ["A", "B"],
                    metadata: ["zip": .text("12345"), "list": .list(["a", "b"])]),
                Account(mvpd: Fixture.skyPeak, id: "anna", name: "anna", passwordHash: "$y$2", lineUp: ["*"]),
            ])
        #expect(try await store.account(id: "anna", of: Fixture.skyPeak)?.passwordHash == "$y$2")
    }

    private func checkOperations(_ store: SQLiteStore) async throws {
        var trial = Fixture.trial(
            1, [.person([1, 2, 3]), .device(Fixture.device(3))],
            resources: [Fixture.resource("A"), Fixture.resource("B")])
        trial.version = 1
        trial.keptUntil = Fixture.now + .seconds(396 * 86_400)
        var unused = Fixture.trial(2, [.device(Fixture.device(4))], firstUse: nil)
        unused.version = 1
        for record in [trial, unused] {
            let found = try await store.trial(
                of: record.identities, requestor: record.requestor, mvpd: record.mvpd)
            #expect(found == record)
        }
        var rules = [Fixture.rule(1, resources: [Fixture.resource("A")]), Fixture.rule(2, .authnAll, mvpd: nil)]
        for place in rules.indices { rules[place].version = 1 }
        #expect(try await store.degradationRules(endingAfter: Fixture.now) == rules)
        #expect(try await store.save(rules, audit: Fixture.audit(4)))
        #expect(try await store.auditEntries(limit: 9) == (1...4).reversed().map { Fixture.audit($0) })
        #expect(try await store.lastPurge() == Fixture.now + .seconds(10))
    }

    @Test("stays as it is where that is asked for")
    func refused() async throws {
        try await self.withFile { file in
            let before = try Data(contentsOf: URL(filePath: file))
            await #expect { try await SQLiteStore.open(file, olderSchema: .refuse).close() } throws: {
                ($0 as? StoreError)?.code == .olderSchema
            }
            #expect(try Data(contentsOf: URL(filePath: file)) == before)
            // A new file is not an older one.
            try await SQLiteStore.open("\(file)-new", olderSchema: .refuse).close()
        }
    }

    @Test("is copied beside itself first where that is asked for, and the copy is what it was")
    func copied() async throws {
        try await self.withFile { file in
            let before = try self.counts(file)
            try Data().write(to: URL(filePath: "\(file).schema3"))
            try await SQLiteStore.open(file, olderSchema: .migrateAfterCopy).close()
            let copy = "\(file).schema3.2"
            #expect(try self.counts(copy) == before)
            let attributes = try FileManager.default.attributesOfItem(atPath: copy)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            // Up to date now: no further copy.
            try await SQLiteStore.open(file, olderSchema: .migrateAfterCopy).close()
            #expect(!FileManager.default.fileExists(atPath: "\(file).schema3.3"))
            // Going back to the older program is going back to the copy.
            try await SQLiteStore.open(copy).close()
            #expect(try self.counts(copy)["codes"] == before["codes"])
        }
    }
}
