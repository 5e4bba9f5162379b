import Clientless
import CommandLineTool
import Entitlement

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

extension CommandContext {
    /// A column of a table.
    typealias Column<Row> = (heading: String, text: (Row) -> String)

    /// Shows rows as a table for people, or with `--json` as one list.
    func list<Row>(
        _ rows: [Row], _ arguments: ParsedArguments, as shape: Shape<Row>, _ columns: [Column<Row>]
    ) throws {
        let isShown = try self.shows(.array(rows.map { shape.json($0, .civil) }), arguments)
        guard !isShown else { return }
        try self.console.result(
            TextTable(heading: columns.map(\.heading), rows: rows.map { row in columns.map { $0.text(row) } }).text)
    }

    /// The same of what the domain knows, as a whole command.
    func list<Row>(
        _ arguments: ParsedArguments, as shape: Shape<Row>, _ columns: [Column<Row>],
        of rows: (Administration, Configuration) async throws -> [Row]
    ) async throws -> ExitCode {
        try self.list(try await StoreAccess.withAdministration(arguments, self, rows), arguments, as: shape, columns)
        return .success
    }

    /// Shows a result as JSON where `--json` asks for it.
    @discardableResult
    func shows(_ json: @autoclosure () -> JSONValue, _ arguments: ParsedArguments) throws -> Bool {
        guard arguments.has("json") else { return false }
        try self.console.result(JSONLine.text(of: json()))
        return true
    }

    /// Takes each of the operands out of use, and says so.
    /// - Parameter end: the sentence about it; `nil` if there is no such thing.
    func endEach(
        _ arguments: ParsedArguments, orElse unknown: (String) -> OperatorError,
        end: (Administration, String) async throws -> String?
    ) async throws -> ExitCode {
        try await StoreAccess.withAdministration(arguments, self) { administration, _ in
            for name in arguments.operands {
                guard let sentence = try await end(administration, name) else { throw unknown(name) }
                self.console.say(sentence)
            }
            return .success
        }
    }
}
