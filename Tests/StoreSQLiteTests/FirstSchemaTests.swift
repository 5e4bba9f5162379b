import Clientless
import Entitlement
import StoreFixtures
import StoreRecords
import Testing

@testable import StoreSQLite

/// A file as the first released schema filled it, written in that schema's own columns.
@Suite("A SQLite store of the first schema")
struct FirstSchemaTests {
    private static let rows = [
        """
        INSERT INTO codes (code, id, requestor, device_id, device, box_address, generated, expires, state, version,
            open_until, device_key)
            VALUES ('ABCDEFG', 'id', 'NORTHSPORT', 'dev', x'01', '192.0.2.1', 1000, 600000, 0, 3, 600000, 1)
        """,
        """
        INSERT INTO authentications (id, device, app_id, device_user, owner, requestor, mvpd, user_id, code, created,
            expires, sealed_session)
            VALUES ('a1', x'01', '', 'u', '', 'NORTHSPORT', 'CableNova', 'viewer', 'ABCDEFG', 1000, 9000, x'00FF'),
                ('a2', x'01', 'app', '', 'SOUTHNEWS', 'SOUTHNEWS', 'SkyPeak', 'other', NULL, 2000, 9000, x'')
        """,
        """
        INSERT INTO authorizations (device, requestor, resource, authentication, mvpd, created, expires)
            VALUES (x'01', 'NORTHSPORT', 'North Sport HD', 'a1', 'CableNova', 1500, 9000)
        """,
        "INSERT INTO nonces (public_key, nonce, expires) VALUES ('k', 'n', 900000)",
        "INSERT INTO key_pairs (public_key, sealed_private_key, created, ends) VALUES ('k', x'0102', 5, 6)",
        "INSERT INTO key_pair_requestors (public_key, place, requestor) VALUES ('k', 0, 'SOUTHNEWS')",
        "INSERT INTO applications (software_id, name, version, created, ends) VALUES ('s', 'Demo', '1', 7, NULL)",
        """
        INSERT INTO application_lists (software_id, list, place, value)
            VALUES ('s', 'requestors', 0, 'NORTHSPORT'), ('s', 'targets', 0, 'demo.example'),
                ('s', 'scopes', 0, 'api:client:v1')
        """,
        "INSERT INTO clients (client_id, secret_hash, software_id, created) VALUES ('c', x'09', 's', 8)",
        "INSERT INTO client_redirects (client_id, place, uri) VALUES ('c', 0, 'app://x')",
        "INSERT INTO accounts (mvpd, name, password_hash) VALUES ('CableNova', 'anna', '$y$')",
        "INSERT INTO account_line_ups (mvpd, name, place, resource) VALUES ('CableNova', 'anna', 0, '*')",
        "INSERT INTO changes (kind, code, device) VALUES (0, 'ABCDEFG', NULL), (1, NULL, x'01'), (2, NULL, NULL)",
    ]

    private func withFile(_ body: (String) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let file = "\(folder)/store.sqlite"
            try StoreFile.prepare(file)
            do {
                let connection = try Connection(opening: file)
                try connection.configure(busyTimeout: .seconds(1))
                try connection.run("PRAGMA journal_mode = WAL")
                try Migrator.migrate(connection, with: [.initial])
                for row in Self.rows { try connection.run(row) }
            }
            try await body(file)
        }
    }

    private static let device = DeviceHash(bytes: [1])
    private static let signIns = [
        AuthNRecord(
            id: AuthNID(text: "a2"), context: DeviceContext(device: device, appID: "app", deviceUser: nil),
            requestor: Fixture.southNews, isExclusive: true, mvpd: Fixture.skyPeak, userID: "other", code: nil,
            origin: .regular, created: Timestamp(milliseconds: 2000), expires: Timestamp(milliseconds: 9000),
            sealedSession: []),
        AuthNRecord(
            id: AuthNID(text: "a1"), context: DeviceContext(device: device, appID: nil, deviceUser: "u"),
            requestor: Fixture.northSport, isExclusive: false, mvpd: Fixture.cableNova, userID: "viewer",
            code: RegistrationCodeText("ABCDEFG"), origin: .regular, created: Timestamp(milliseconds: 1000),
            expires: Timestamp(milliseconds: 9000), sealedSession: [0, 255]),
    ]
    private static let decision = AuthZRecord(
        authentication: AuthNID(text: "a1"), device: device, requestor: Fixture.northSport,
        resource: Fixture.resource("North Sport HD"), mvpd: Fixture.cableNova, origin: .provider,
        created: Timestamp(milliseconds: 1500), expires: Timestamp(milliseconds: 9000))

    /// The position before the first change that a file holds.
    private static func beginning(of store: SQLiteStore) async throws -> ChangePosition {
        ChangePosition(bytes: try await store.latestChange().bytes.dropLast(8) + [UInt8](repeating: 0, count: 8))
    }

    @Test("is read whole after it was brought up to date, and says that all came of the ordinary ways")
    func upgrade() async throws {
        try await self.withFile { file in
            // Again: the second opening finds nothing to do.
            for _ in 0..<2 {
                let store = try await SQLiteStore.open(file)
                let text = try #require(RegistrationCodeText("ABCDEFG"))
                let code = try #require(try await store.code(text))
                #expect(code.version == 3)
                #expect(code.life.storedState == .waiting(refusal: nil))
                #expect(try await store.liveCodeCount(now: Timestamp(milliseconds: 0)) == 1)
                #expect(try await store.authentications(of: Self.device) == Self.signIns)
                #expect(try await store.authorizations(of: Self.device) == [Self.decision])
                let credentials = try await store.credentials()
                #expect(
                    credentials.keyPairs == [
                        KeyPairRecord(
                            publicKey: "k", sealedPrivateKey: [1, 2], requestors: [Fixture.southNews],
                            isServerToServer: false, created: Timestamp(milliseconds: 5),
                            ends: Timestamp(milliseconds: 6))
                    ])
                #expect(
                    credentials.applications == [
                        ApplicationRecord(
                            softwareID: "s", name: "Demo", version: "1", requestors: [Fixture.northSport],
                            redirectTargets: ["demo.example"], scopes: ["api:client:v1"], isServerToServer: false,
                            created: Timestamp(milliseconds: 7), ends: nil)
                    ])
                #expect(try await store.client("c")?.redirectURIs == ["app://x"])
                #expect(
                    try await store.accounts() == [
                        Account(
                            mvpd: Fixture.cableNova, id: "anna", name: "anna", passwordHash: "$y$", lineUp: ["*"])
                    ])
                // The feed begins a new life; what the older program told is behind its beginning.
                let changes = try await store.subjects(after: Self.beginning(of: store))
                #expect(changes == [.code(code.code), .device(Self.device), .credentials])
                #expect(try await store.integrityCheck() == [])
                await store.close()
            }
        }
    }

    @Test("keeps what is new once it was brought up to date, and what belongs together stays so")
    func use() async throws {
        try await self.withFile { file in
            let store = try await SQLiteStore.open(file)
            let now = Timestamp(milliseconds: 100)
            let nonceIsNew = try await store.takeNonce(
                "n", publicKey: "k", expires: Timestamp(milliseconds: 900_000), now: now)
            #expect(!nonceIsNew)
            #expect(try await store.save([Fixture.rule(1)], audit: Fixture.audit(1)))
            #expect(try await store.replace(Fixture.trial(1, [.device(Self.device)])))
            var renewed = Self.signIns[1].ending(at: Timestamp(milliseconds: 99_000))
            #expect(try await store.update(renewed))
            renewed.version = 1
            #expect(try await store.authorizations(of: Self.device) == [Self.decision])
            #expect(try await store.deleteAuthentication(renewed.id, audit: Fixture.audit(2)) == renewed)
            #expect(try await store.authorizations(of: Self.device) == [])
            #expect(try await store.auditEntries(limit: 9) == [Fixture.audit(2), Fixture.audit(1)])
            #expect(try await store.integrityCheck() == [])
            await store.close()
        }
    }

    @Test("stays as it is when it cannot be brought up to date")
    func failure() async throws {
        try await self.withFile { file in
            do {
                let connection = try Connection(opening: file)
                // In the way of a table of the second schema, far down its list.
                try connection.run("CREATE TABLE audit_log (a)")
            }
            await #expect(throws: StoreError.self) { try await SQLiteStore.open(file).close() }
            let connection = try Connection(opening: file)
            let version = try connection.first("PRAGMA user_version") { (row) throws(SQLiteFailure) in
                try row.integer()
            }
            #expect(version == 1)
            let columns = try connection.all("SELECT name FROM pragma_table_info('authentications')") {
                (row) throws(SQLiteFailure) in try row.text()
            }
            #expect(!columns.contains("origin"))
            let records = try connection.first("SELECT count(*) FROM authentications") {
                (row) throws(SQLiteFailure) in try row.integer()
            }
            #expect(records == 2)
        }
    }
}
