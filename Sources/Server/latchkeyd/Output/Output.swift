import Clientless
import CommandLineTool
import Entitlement
import FoundationEssentials

/// Results for machines: one JSON value on one line, keys in alphabetical order.
enum JSONLine {
    static func text(of value: some Encodable) throws(OperatorError) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else {
            throw OperatorError("The result has no JSON form.", exitCode: .internalError)
        }
        return String(decoding: data, as: UTF8.self)
    }

    static func text<Value>(of value: Value, _ shape: Shape<Value>) -> String {
        self.text(of: shape.json(value, .civil))
    }

    static func text(of json: JSONValue) -> String { self.sorted(json).text }

    private static func sorted(_ json: JSONValue) -> JSONValue {
        switch json {
        case .object(let members):
            .object(members.map { .init($0.name, self.sorted($0.value)) }.sorted { $0.name < $1.name })
        case .array(let values): .array(values.map(self.sorted))
        case .string, .integer, .double, .boolean, .null: json
        }
    }
}

/// Rows for people: columns as wide as their widest entry, two spaces apart.
struct TextTable {
    private let rows: [[String]]

    /// - Precondition: every row has as many entries as the heading.
    init(heading: [String], rows: [[String]]) {
        precondition(rows.allSatisfy { $0.count == heading.count }, "a row has an entry for each column")
        self.rows = [heading] + rows
    }

    var text: String {
        let widths = self.rows[0].indices.map { column in self.rows.map { $0[column].count }.max() ?? 0 }
        return self.rows.map { row in
            var line = ""
            for (entry, width) in zip(row, widths) {
                line += entry + String(repeating: " ", count: width - entry.count + 2)
            }
            while line.last == " " { line.removeLast() }
            return line
        }.joined(separator: "\n")
    }
}

extension CommandCall {
    /// A column of a table.
    typealias Column<Row> = (heading: String, text: (Row) -> String)

    /// Shows rows as a table for people, or with `--json` as one list.
    func list<Row>(_ rows: [Row], as shape: Shape<Row>, _ columns: [Column<Row>]) throws {
        guard try !self.shows(.array(rows.map { shape.json($0, .civil) })) else { return }
        try self.result(
            TextTable(heading: columns.map(\.heading), rows: rows.map { row in columns.map { $0.text(row) } }).text)
    }

    /// Shows a result as JSON where `--json` asks for it.
    @discardableResult
    func shows(_ json: @autoclosure () -> JSONValue) throws -> Bool {
        guard self.arguments.has("json") else { return false }
        try self.result(JSONLine.text(of: json()))
        return true
    }

    /// Takes each of the operands out of use, and says so.
    /// - Parameter end: the sentence about it; `nil` if there is no such thing.
    func endEach(
        orElse unknown: (String) -> OperatorError, end: (Administration, String) async throws -> String?
    ) async throws {
        for name in self.arguments.operands {
            guard let sentence = try await end(self.administration, name) else { throw unknown(name) }
            self.say(sentence)
        }
    }
}

extension Timestamp {
    /// The moment to the second, such as `2026-01-31T23:59:59Z` (RFC 3339).
    var timeText: String {
        Date(timeIntervalSince1970: Double(self.seconds)).formatted(.iso8601)
    }
}

/// How the commands show when something ends.
enum UseText {
    static func write(_ ends: Timestamp?, now: Timestamp) -> String {
        guard let ends else { return "in use" }
        return ends <= now ? "ended \(ends.timeText)" : "ends \(ends.timeText)"
    }
}
