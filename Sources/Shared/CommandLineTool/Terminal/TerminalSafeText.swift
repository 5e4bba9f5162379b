/// `text` on one line and without anything that could steer a terminal: for words that came from somewhere else.
///
/// Control characters (which begin every escape sequence) and the marks that reorder text become spaces; runs of spaces
/// become one; what is longer than `limit` characters is cut and ends in an ellipsis. A character keeps its first few
/// combining marks: hundreds on one letter are drawn over the lines above and below.
package func terminalSafe(_ text: String, limit: Int = 512) -> String {
    var result = ""
    var count = 0
    for character in text {
        let steers = character.unicodeScalars.contains(where: steersTerminal)
        let next: Character = steers || character.isWhitespace ? " " : character
        if next == " ", result.isEmpty || result.last == " " { continue }
        guard count < limit else { return result + "…" }
        result.unicodeScalars.append(contentsOf: next.unicodeScalars.prefix(longestCharacter))
        count += 1
    }
    if result.last == " " { result.removeLast() }
    return result
}

/// In scalars. A family in one emoji takes seven, a flag of a region seven, no script more.
private let longestCharacter = 12

private func steersTerminal(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse: true
    // UAX 9: embeddings, overrides and isolates. Its marks stay: they order nothing but their neighbours, and names
    // in Arabic and Hebrew have them.
    default: (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
    }
}
