/// Words on lines of at most so many cells. A word that is longer has a line of its own, whole; but scripts that are
/// written without blanks are parted between any two wide characters (UAX 14, ID), where no mark begins a line.
package func wrapped(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    var length = 0
    for word in text.split(separator: " ") {
        for (index, part) in parted(word, width: width).enumerated() {
            let cells = cellCount(part)
            let gap = line.isEmpty || index > 0 ? 0 : 1
            if !line.isEmpty, length + gap + cells > width {
                lines.append(line)
                (line, length) = (String(part), cells)
            } else {
                line += (gap == 1 ? " " : "") + part
                length += gap + cells
            }
        }
    }
    return line.isEmpty ? lines : lines + [line]
}

/// Marks that do not begin a line, and those that do not end one (UAX 14, CL, NS and OP).
private let closingMarks: Set<Character> = ["。", "、", "」", "』", "）", "！", "？", "：", "；", "・", "ー", "ッ", "ョ", "っ", "ょ"]
private let openingMarks: Set<Character> = ["「", "『", "（"]

/// The pieces of a word that lines may begin with: the word as a whole unless it is longer than a line.
private func parted(_ word: Substring, width: Int) -> [Substring] {
    guard cellCount(word) > width else { return [word] }
    var parts: [Substring] = []
    var start = word.startIndex
    for index in word.indices.dropFirst() {
        let (before, after) = (word[word.index(before: index)], word[index])
        let isWide = cellCount(String(before)) == 2 || cellCount(String(after)) == 2
        guard isWide, !closingMarks.contains(after), !openingMarks.contains(before) else { continue }
        parts.append(word[start..<index])
        start = index
    }
    return parts + [word[start...]]
}

/// The beginning of `text` that fits so many cells.
package func clipped(_ text: String, width: Int) -> String {
    var result = ""
    var left = width
    for character in text {
        left -= cellCount(String(character))
        guard left >= 0 else { break }
        result.append(character)
    }
    return result
}

/// The cells that a terminal gives a text: two for what East Asian scripts and emoji have wide (UAX 11), no cell for
/// marks on other characters.
package func cellCount(_ text: some StringProtocol) -> Int {
    text.reduce(0) { count, character in
        guard let first = character.unicodeScalars.first else { return count }
        return switch first.value {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            count + 2
        default: count + 1
        }
    }
}
