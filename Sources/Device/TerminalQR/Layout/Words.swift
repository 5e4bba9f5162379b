/// Words on lines of at most so many cells. A word that is longer has a line of its own, whole.
package func wrapped(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    var length = 0
    for word in text.split(separator: " ") {
        let cells = cellCount(word)
        if !line.isEmpty, length + 1 + cells > width {
            lines.append(line)
            (line, length) = ("", 0)
        }
        line += line.isEmpty ? String(word) : " \(word)"
        length += cells + (length == 0 ? 0 : 1)
    }
    return line.isEmpty ? lines : lines + [line]
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
