package import POSIX

/// The abilities of the terminal behind a descriptor.
package struct Terminal: Hashable, Sendable {
    /// The colours a terminal distinguishes, from its environment.
    package enum Colours: Int, Comparable, Sendable {
        case none, sixteen, twoHundredFiftySix, trueColour

        package static func < (left: Colours, right: Colours) -> Bool { left.rawValue < right.rawValue }
    }

    /// Width and height in character cells.
    package struct Size: Hashable, Sendable {
        package let columns: Int
        package let rows: Int

        package init(columns: Int, rows: Int) {
            self.columns = columns
            self.rows = rows
        }
    }

    /// Whether there is a terminal at all, rather than a file, a pipe or a journal.
    package let isTerminal: Bool
    /// `nil` when it is not known.
    package let size: Size?
    /// Whether escape sequences are understood: a terminal whose `TERM` is set and not `dumb`.
    package let understandsEscapes: Bool
    /// The colours it can show. `NO_COLOR` does not change this; see ``wantsDecoration``.
    package let colours: Colours
    /// Whether text may be decorated: escapes are understood and `NO_COLOR` is not set.
    package let wantsDecoration: Bool
    /// Whether the locale says that output is UTF-8.
    package let isUTF8: Bool

    /// Looks at `descriptor`, and at the variables `TERM`, `COLORTERM`, `NO_COLOR`, `LC_ALL`, `LC_CTYPE`, `LANG`,
    /// `COLUMNS` and `LINES` of `environment`.
    package init(on descriptor: BorrowedDescriptor, environment: [String: String]) {
        let isTerminal = descriptor.isTerminal
        let size = isTerminal ? descriptor.terminalSize : nil
        self.init(
            isTerminal: isTerminal, reportedSize: size.map { Size(columns: $0.columns, rows: $0.rows) },
            environment: environment)
    }

    /// The same from facts already known. A serial console reports no size; then `COLUMNS` and `LINES` count.
    package init(isTerminal: Bool, reportedSize: Size?, environment: [String: String]) {
        self.isTerminal = isTerminal
        self.size = reportedSize ?? Self.size(from: environment)
        let name = environment["TERM"] ?? ""
        self.understandsEscapes = isTerminal && !name.isEmpty && name != "dumb"
        self.colours = self.understandsEscapes ? Self.colours(name: name, environment: environment) : .none
        self.wantsDecoration = self.understandsEscapes && (environment["NO_COLOR"] ?? "").isEmpty
        // The first of these that is not empty decides (locale(7)).
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let lowercased = locale.lowercased()
        self.isUTF8 = lowercased.contains("utf-8") || lowercased.contains("utf8")
    }

    private static func size(from environment: [String: String]) -> Size? {
        guard let columns = environment["COLUMNS"].flatMap({ Int($0) }), (1...10_000).contains(columns),
            let rows = environment["LINES"].flatMap({ Int($0) }), (1...10_000).contains(rows)
        else { return nil }
        return Size(columns: columns, rows: rows)
    }

    private static func colours(name: String, environment: [String: String]) -> Colours {
        switch environment["COLORTERM"] {
        case "truecolor", "24bit": .trueColour
        default: name.contains("256color") ? .twoHundredFiftySix : .sixteen
        }
    }
}

/// Emphasis for text on a terminal, in colours that are legible on light and dark grounds.
package enum Decoration: String, Sendable {
    case bold = "1"
    case yellow = "33"
}

extension Terminal {
    /// `text` with `decoration` around it, or as it is where decoration is not wanted.
    package func decorated(_ text: String, _ decoration: Decoration) -> String {
        self.wantsDecoration ? "\u{1B}[\(decoration.rawValue)m\(text)\u{1B}[0m" : text
    }
}
