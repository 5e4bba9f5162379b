/// A help text while it is being set: paragraphs and two-column lists, wrapped to a width.
struct HelpText {
    let width: Int
    private(set) var text = ""

    /// Adds a paragraph, set off by an empty line.
    mutating func paragraph(_ words: String) {
        self.separate()
        for line in wrapped(words, to: self.width) { self.text += line + "\n" }
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
            let lines = wrapped(right, to: room)
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

    private mutating func separate() {
        if !self.text.isEmpty { self.text += "\n" }
    }
}

/// Breaks `words` at spaces into lines of at most `width` characters; a longer word keeps a line of its own.
package func wrapped(_ words: String, to width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in words.split(separator: " ") {
        if !line.isEmpty, line.count + 1 + word.count > width {
            lines.append(line)
            line = ""
        }
        line += (line.isEmpty ? "" : " ") + word
    }
    if !line.isEmpty { lines.append(line) }
    return lines
}
