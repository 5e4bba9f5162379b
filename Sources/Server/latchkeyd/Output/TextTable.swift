import CommandLineTool

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
    /// Shows rows as a table for people, or with `--json` as one list.
    func list<Row, Output: Encodable>(
        _ rows: [Row], _ arguments: ParsedArguments, as output: (Row) -> Output,
        _ columns: [(heading: String, text: (Row) -> String)]
    ) throws {
        let text =
            arguments.has("json")
            ? try JSONLine.text(of: rows.map(output))
            : TextTable(heading: columns.map(\.heading), rows: rows.map { row in columns.map { $0.text(row) } }).text
        try self.console.result(text)
    }
}
