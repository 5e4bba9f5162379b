/// A label and every value it can have.
package struct LabelSet: Hashable, Sendable {
    package let name: String
    package let values: [String]

    package init(_ name: String, _ values: [String]) {
        self.name = name
        self.values = values
    }
}

/// The labels of a table. Its cells are counted through with the last label fastest.
extension [LabelSet] {
    var combinations: Int {
        let combinations = self.reduce(1) { $0 * $1.values.count }
        precondition(combinations > 0, "A label needs a value")
        return combinations
    }

    /// The labels of a cell as Prometheus reads them, in braces; empty without labels.
    func text(of cell: Int) -> String {
        guard !self.isEmpty else { return "" }
        var rest = cell
        var parts: [String] = []
        for label in self.reversed() {
            let value = label.values[rest % label.values.count]
            rest /= label.values.count
            parts.append("\(label.name)=\"\(Self.escaped(value))\"")
        }
        return "{" + parts.reversed().joined(separator: ",") + "}"
    }

    private static func escaped(_ value: String) -> String {
        value.map { character in
            switch character {
            case "\\": "\\\\"
            case "\"": "\\\""
            case "\n": "\\n"
            default: String(character)
            }
        }.joined()
    }
}
