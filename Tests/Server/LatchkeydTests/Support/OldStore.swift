import FoundationEssentials
import TestSupport

@testable import Stores

/// The store of a set-up as the previous release left it.
enum OldStore {
    /// Puts a store of schema 1, with rows of every kind, in place of the set-up's own.
    static func put(in setUp: TestSetUp) throws {
        let file = setUp.file("latchkeyd.sqlite")
        for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + ending) }
        try StoreFile.prepare(file)
        let script = URL(filePath: ProjectFolder.file("Tests/Server/StoreSQLiteTests/Schemas/schema1.sql"))
        let text = String(decoding: try Data(contentsOf: script), as: UTF8.self)
        let connection = try SQLiteConnection(opening: file)
        for statement in text.split(separator: "\n-- next\n").dropFirst() {
            try connection.run(SQL(raw: String(statement)))
        }
    }

    /// The number of the schema a file has, as any version reads it.
    static func schema(of file: String) throws -> Int64? {
        let connection = try SQLiteConnection(opening: file)
        return try connection.first("PRAGMA user_version") { (row) throws(SQLiteFailure) in try row.integer() }
    }

    static func setSchema(_ number: Int, of file: String) throws {
        try SQLiteConnection(opening: file).run(SQL(raw: "PRAGMA user_version = \(number)"))
    }
}

extension OldStore {
    /// Takes the key pairs away, which no key of a test's folder sealed.
    static func removeKeyPairs(from file: String) throws {
        let connection = try SQLiteConnection(opening: file)
        for table in ["key_pair_requestors", "key_pairs"] { try connection.run(SQL(raw: "DELETE FROM \(table)")) }
    }
}

extension OldStore {
    static func rows(of file: String) throws -> [String: Int64] {
        let connection = try SQLiteConnection(opening: file)
        let tables = try connection.all(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        ) { (row) throws(SQLiteFailure) in try row.text() }
        var rows: [String: Int64] = [:]
        for table in tables {
            rows[table] = try connection.first(SQL(raw: "SELECT count(*) FROM \(table)")) {
                (row) throws(SQLiteFailure) in
                try row.integer()
            }
        }
        return rows
    }
}
