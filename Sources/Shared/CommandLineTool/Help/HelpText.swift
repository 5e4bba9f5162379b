/// A help text while it is being set: paragraphs and two-column lists, wrapped to a width.
struct HelpText {
    let width: Int
    private(set) var text = ""

    /// Adds a paragraph, set off by an empty line.
    mutating func paragraph(_ words: String) {
        self.separate()
        for line in wrapped(words, width: self.width) { self.text += line + "\n" }
    }

    /// Adds a heading and lines that are not wrapped.
    mutating func section(_ heading: String, lines: [String]) {
        guard !lines.isEmpty else { return }
        self.separate()
        self.text += heading + ":\n"
        for line in lines { self.text += "  " + line + "\n" }
    }

    /// Adds a heading and a list of two columns; a left side too long for its column stands on a line of its own.
    mutating func section(_ heading: String, pairs: [(String, String)]) {
        guard !pairs.isEmpty else { return }
        self.separate()
        self.text += heading + ":\n"
        let longest = pairs.map(\.0.count).max() ?? 0
        let column = min(longest, 24)
        let room = max(20, self.width - column - 4)
        for (left, right) in pairs {
            let lines = wrapped(right, width: room)
            if left.count > column {
                self.text += "  \(left)\n"
            } else {
                let gap = String(repeating: " ", count: column - left.count)
                self.text += "  \(left)\(gap)  \(lines.first ?? "")\n"
            }
            for line in left.count > column ? lines[...] : lines.dropFirst() {
                self.text += String(repeating: " ", count: column + 4) + line + "\n"
            }
        }
    }

    private mutating func separate() { if !self.text.isEmpty { self.text += "\n" } }
}
