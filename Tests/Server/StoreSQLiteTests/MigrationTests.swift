import Entitlement
import StoreFixtures
import Testing

@testable import Stores

@Suite("Migrations of a SQLite store", .store)
struct MigrationTests {
    private static let second = SQLiteMigration(
        number: SQLiteMigration.all.count + 1,
        statements: [
            "ALTER TABLE accounts ADD COLUMN note TEXT NOT NULL DEFAULT 'none'",
            "CREATE TABLE extra (a INTEGER) STRICT",
        ])

    private func number(_ sql: SQL, _ connection: SQLiteConnection) throws -> Int64? {
        try connection.first(sql) { (row) throws(SQLiteFailure) in try row.integer() }
    }

    @Test func `are numbered from 1 without gaps`() {
        #expect(SQLiteMigration.all.map(\.number) == Array(1...SQLiteMigration.all.count))
    }

    @Test func `that are missing are applied, in order, and keep the rows`() async throws {
        let connection = try SQLiteConnection(opening: file)
        try connection.run(
            "INSERT INTO accounts (mvpd, id, name, password_hash, version) VALUES ('m', 'i', 'n', 'h', 0)")
        try SQLiteMigrator.migrate(connection, with: SQLiteMigration.all + [Self.second])
        #expect(try self.number("PRAGMA user_version", connection) == Int64(Self.second.number))
        #expect(try self.number("SELECT count(*) FROM accounts WHERE note = 'none'", connection) == 1)
        // Again: nothing to do.
        try SQLiteMigrator.migrate(connection, with: SQLiteMigration.all + [Self.second])
    }

    @Test func `that fail leave the file as it was`() async throws {
        let connection = try SQLiteConnection(opening: file)
        let broken = SQLiteMigration(number: Self.second.number + 1, statements: ["CREATE TABLE codes (a)"])
        #expect(throws: SQLiteFailure.self) {
            try SQLiteMigrator.migrate(connection, with: SQLiteMigration.all + [Self.second, broken])
        }
        #expect(try self.number("PRAGMA user_version", connection) == Int64(SQLiteMigration.all.count))
        #expect(try self.number("SELECT count(*) FROM sqlite_schema WHERE name = 'extra'", connection) == 0)
        try await SQLiteStore.open(file).close()
    }

    @Test func `that do not fit the file's tables call it damaged, and not a thing that may pass`() async throws {
        do {
            // As after a hand that changed the number: the tables are those of the newest schema.
            let connection = try SQLiteConnection(opening: file)
            try connection.run("PRAGMA user_version = 1")
        }
        let error = await #expect(throws: StoreError.self) { try await SQLiteStore.open(file).close() }
        #expect(error?.code == .damaged)
        #expect(error?.detail.contains("its tables are not those of schema 1") == true)
    }

    /// A file that the program of schema 1 made, with rows of every kind.
    private func formerFile() throws -> String {
        let file = "\(folder)/former.sqlite"
        try StoreFile.prepare(file)
        let connection = try SQLiteConnection(opening: file)
        let script = String(decoding: PackageResources.schema1_sql, as: UTF8.self)
        for statement in script.split(separator: "\n-- next\n").dropFirst() {
            try connection.run(SQL(raw: String(statement)))
        }
        return file
    }

    private func columns(_ file: String, of table: String) throws -> [String] {
        try SQLiteConnection(opening: file).all(
            SQL(raw: "SELECT name FROM pragma_table_info('\(table)') ORDER BY name")
        ) { (row) throws(SQLiteFailure) in try row.text() }
    }

    private func rows(_ file: String, in table: String, _ columns: [String]) throws -> [[String]] {
        let connection = try SQLiteConnection(opening: file)
        let values = columns.map { "quote(\"\($0)\")" }.joined(separator: ", ")
        return try connection.all(SQL(raw: "SELECT \(values) FROM \"\(table)\" ORDER BY \(values)")) {
            (row) throws(SQLiteFailure) in
            var texts: [String] = []
            for _ in columns { texts.append(try row.text()) }
            return texts
        }
    }

    /// What makes the schema of a file, however it is spaced.
    private func schema(_ file: String) throws -> Set<String> {
        let connection = try SQLiteConnection(opening: file)
        let statements = try connection.all("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL") {
            (row) throws(SQLiteFailure) in try row.text()
        }
        return Set(statements.map { $0.filter { !$0.isWhitespace } })
    }

    @Test func `leave a file of the first schema with every row, and as a new file is`() async throws {
        let file = try self.formerFile()
        let tables = try SQLiteConnection(opening: file).all(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'open_codes'"
        ) { (row) throws(SQLiteFailure) in try row.text() }
        let columns = try tables.map { try self.columns(file, of: $0) }
        let before = try zip(tables, columns).map { try self.rows(file, in: $0, $1) }
        // A table without a row would prove nothing.
        #expect(zip(tables, before).filter(\.1.isEmpty).map(\.0) == [])
        let store = try await SQLiteStore.open(file)
        #expect(try await store.integrityCheck() == [])
        #expect(try await store.liveCodeCount(now: Fixture.now) == 4)
        await store.close()
        #expect(try zip(tables, columns).map { try self.rows(file, in: $0, $1) } == before)
        #expect(try self.schema(StoreSQLiteTests.file) == self.schema(file))
    }

    @Test func `add the credentials of boxes to a file of the second schema, whose records have none`() async throws {
        let file = try self.formerFile()
        do {
            try SQLiteMigrator.migrate(try SQLiteConnection(opening: file), with: Array(SQLiteMigration.all.prefix(2)))
        }
        let store = try await SQLiteStore.open(file)
        let page = try await store.authentications(.all, after: nil, limit: 10)
        #expect(!page.isEmpty && page.allSatisfy { $0.credential == nil })
        await store.close()
        #expect(try self.schema(StoreSQLiteTests.file) == self.schema(file))
    }

    @Test func `of a newer program make the file refused`() async throws {
        do {
            let connection = try SQLiteConnection(opening: file)
            try SQLiteMigrator.migrate(connection, with: SQLiteMigration.all + [Self.second])
        }
        let error = await #expect(throws: StoreError.self) { try await SQLiteStore.open(file).close() }
        #expect(error?.code == .newerSchema)
    }

    @Test func `give every query an index: nothing walks a table of codes`() async throws {
        let connection = try SQLiteConnection(opening: file)
        for query in [
            "SELECT \(CodeColumn.names) FROM codes WHERE code = '1'",
            "SELECT count(*) FROM codes WHERE device = x'00' AND open_until > 1",
            "SELECT sequence FROM codes WHERE expires <= 1 ORDER BY expires LIMIT 1",
            "SELECT id FROM attempts WHERE expires <= 1 ORDER BY expires LIMIT 1",
            "SELECT public_key, nonce FROM nonces WHERE expires <= 1 ORDER BY expires LIMIT 1",
            "SELECT sequence FROM authentications WHERE expires <= 1 ORDER BY expires LIMIT 1",
            "SELECT id FROM authentications WHERE device = x'00'",
            "SELECT mvpd FROM authorizations WHERE authentication = 'a' AND requestor = 'a' AND resource = 'b'",
            "DELETE FROM authorizations WHERE authentication = 'a'",
            "SELECT device FROM authentications WHERE id = 'a'",
            "SELECT mvpd FROM authorizations WHERE authentication = 'a'",
            "SELECT authentication FROM authorizations WHERE expires <= 1 ORDER BY expires LIMIT 1",
            "SELECT id FROM authentications WHERE code = 'a' LIMIT 1",
            "SELECT id FROM authentications WHERE mvpd = 'a' AND user_id = 'a' LIMIT 1",
            "SELECT id FROM authentications WHERE user_id = 'a' LIMIT 1",
            "SELECT id FROM authentications WHERE provider_session = x'00' LIMIT 1",
            "SELECT id FROM authentications WHERE requestor = 'a' AND created >= 1 LIMIT 1",
            "SELECT id FROM authentications WHERE created >= 1 AND created < 2 LIMIT 1",
            "DELETE FROM set_up_codes WHERE expires <= 1", "DELETE FROM set_up_codes WHERE hash = x'00'",
            "SELECT client_id FROM clients WHERE last_used <= 1 ORDER BY last_used LIMIT 1",
            "SELECT 1 FROM clients WHERE software_id = 'a' AND created >= 1 LIMIT 1",
            "SELECT id FROM trials WHERE kept_until <= 1 ORDER BY kept_until LIMIT 1",
            "SELECT name FROM accounts WHERE mvpd = 'a' AND id = 'b'",
            "SELECT \(PasskeyColumn.names) FROM passkeys WHERE mvpd = 'a' AND account = 'b' "
                + "ORDER BY created, credential",
            "SELECT \(PasskeyColumn.names) FROM passkeys WHERE credential = x'00'",
            "DELETE FROM passkeys WHERE mvpd = 'a' AND account = 'b'",
            "SELECT trial FROM trial_identities WHERE requestor = 'a' AND mvpd = 'b' AND kind = 0 AND hash = x'00'",
            "SELECT kind, hash FROM trial_identities WHERE trial = 'a' ORDER BY place",
            "SELECT resource FROM trial_resources WHERE trial = 'a' ORDER BY place",
            "DELETE FROM trials WHERE requestor = 'a' AND mvpd = 'b'",
            "SELECT id FROM degradation_rules WHERE ends <= 1 ORDER BY ends LIMIT 1",
            "SELECT count(*) FROM codes WHERE expires > 1 AND open_until IS NOT NULL",
            "SELECT \(ReportColumn.names) FROM reports WHERE hour >= 1 AND hour < 2 "
                + "ORDER BY hour, requestor, mvpd, device_type, platform, event LIMIT 1",
            "SELECT sequence FROM reports WHERE sequence <= 1 ORDER BY sequence LIMIT 1",
            "SELECT position FROM changes WHERE position > 1 ORDER BY position LIMIT 1",
        ] {
            let plan = try connection.all(SQL(raw: "EXPLAIN QUERY PLAN \(query)")) { (row) throws(SQLiteFailure) in
                _ = (try row.integer(), try row.integer(), try row.integer())
                return try row.text()
            }
            #expect(plan.count == 1, "\(query): \(plan)")
            #expect(plan.allSatisfy { $0.hasPrefix("SEARCH ") }, "\(query): \(plan)")
            if query.contains("count(*)") { #expect(plan.allSatisfy { $0.contains("COVERING INDEX") }) }
        }
    }

    @Test("let a viewer's boxes be found and ordered by one index, not by all sign-ins of a requestor")
    func viewersBoxes() async throws {
        let connection = try SQLiteConnection(opening: file)
        var selection = AuthNSelection.all
        (selection.mvpd, selection.userID, selection.requestor) = (Fixture.cableNova, "a", Fixture.northSport)
        let plan = try connection.all(
            """
            EXPLAIN QUERY PLAN SELECT id FROM authentications
                WHERE \(selection.condition) AND id > \("") ORDER BY id LIMIT \(1)
            """
        ) { (row) throws(SQLiteFailure) in
            _ = (try row.integer(), try row.integer(), try row.integer())
            return try row.text()
        }
        #expect(
            plan == [
                "SEARCH authentications USING COVERING INDEX authentications_viewer "
                    + "(user_id=? AND mvpd=? AND requestor=? AND id>?)"
            ])
    }
}
