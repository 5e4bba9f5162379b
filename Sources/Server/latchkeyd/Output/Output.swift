import Clientless
import CommandLineTool
import Entitlement
import FoundationEssentials
import ServerAPI

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
        String(decoding: shape.bytes(value, .civil), as: UTF8.self)
    }

    static func text(of json: JSONValue) -> String { json.sorted.text }
}

/// Rows for people: columns as wide as their widest entry, two spaces apart.
/// - Precondition: every row has as many entries as the heading.
func textTable(_ heading: [String], _ rows: [[String]]) -> String {
    precondition(rows.allSatisfy { $0.count == heading.count }, "a row has an entry for each column")
    let rows = [heading] + rows
    let widths = heading.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
        var line = ""
        for (entry, width) in zip(row, widths) {
            line += entry + String(repeating: " ", count: width - entry.count + 2)
        }
        while line.last == " " { line.removeLast() }
        return line
    }.joined(separator: "\n")
}

extension CommandCall {
    typealias Column<Row> = (heading: String, text: (Row) -> String)

    /// Shows rows as a table for people, or with `--json` as one list.
    func list<Row>(_ rows: [Row], as shape: Shape<Row>, _ columns: [Column<Row>]) throws {
        let lines = { "[" + rows.map { JSONLine.text(of: $0, shape) }.joined(separator: ",") + "]" }
        guard try !self.shows(lines()) else { return }
        try self.result(textTable(columns.map(\.heading), rows.map { row in columns.map { $0.text(row) } }))
    }

    /// Shows a result as JSON where `--json` asks for it.
    @discardableResult
    func shows(_ json: @autoclosure () -> String) throws -> Bool {
        guard self.arguments.has("json") else { return false }
        try self.result(json())
        return true
    }

    /// Takes each of the operands out of use, and says so.
    /// - Parameter end: the sentence about it; `nil` if there is no such thing.
    /// - Throws: `fault`, after the names of those that there are not.
    func endEach(orElse fault: OperatorError, end: (Administration, String) async throws -> String?) async throws {
        var unknown: [String] = []
        for name in self.arguments.operands {
            guard let sentence = try await end(self.administration, name) else {
                unknown.append(terminalSafe(name, limit: 80))
                continue
            }
            self.say(sentence)
        }
        guard unknown.isEmpty else { throw fault.at(unknown.joined(separator: ", ")) }
    }
}

/// How the commands show when something ends.
enum UseText {
    static func write(_ ends: Timestamp?, now: Timestamp) -> String {
        guard let ends else { return "in use" }
        return ends <= now ? "ended \(ends.timeText)" : "ends \(ends.timeText)"
    }
}
