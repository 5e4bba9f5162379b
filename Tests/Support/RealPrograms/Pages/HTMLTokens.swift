/// The pieces of an HTML text, in order.
enum HTMLToken {
    case start(name: String, attributes: [String: String])
    case end(name: String)
    /// With character references replaced, white space as it was.
    case text(String)
}

/// Cuts HTML into tokens, as far as pages of forms need it: tags, attributes with and without quotes, comments,
/// character references, and the raw text of `script` and `style`.
struct HTMLTokens: Sequence, IteratorProtocol {
    private var rest: Substring
    /// Inside of `script` or `style` nothing but its own end tag counts.
    private var rawElement: String?

    init(_ html: String) {
        // Line ends of the wire would otherwise be one character with the carriage return.
        self.rest = Substring(html.replacing("\r\n", with: "\n"))
    }

    mutating func next() -> HTMLToken? {
        if let name = self.rawElement {
            self.rawElement = nil
            if let end = self.rest.range(ofTag: "</\(name)") { self.rest = self.rest[end...] } else { self.rest = "" }
        }
        while let first = self.rest.first {
            guard first == "<", let kind = self.rest.dropFirst().first, kind == "/" || kind == "!" || kind.isLetter
            else {
                return .text(self.takeText())
            }
            if kind == "!" {
                self.skipDeclaration()
                continue
            }
            return self.takeTag()
        }
        return nil
    }

    private mutating func takeText() -> String {
        let start = self.rest
        self.rest = self.rest.dropFirst()
        self.rest = self.rest.drop { $0 != "<" }
        return withoutReferences(start[..<self.rest.startIndex])
    }

    private mutating func skipDeclaration() {
        let end = self.rest.hasPrefix("<!--") ? "-->" : ">"
        guard let range = self.rest.firstRange(of: end) else {
            self.rest = ""
            return
        }
        self.rest = self.rest[range.upperBound...]
    }

    private mutating func takeTag() -> HTMLToken {
        self.rest = self.rest.dropFirst()
        let isEnd = self.rest.first == "/"
        if isEnd { self.rest = self.rest.dropFirst() }
        let name = self.take { !$0.isWhitespace && $0 != ">" && $0 != "/" }.lowercased()
        var attributes: [String: String] = [:]
        while true {
            self.rest = self.rest.drop { $0.isWhitespace || $0 == "/" }
            guard let character = self.rest.first, character != ">" else { break }
            let key = self.take { !$0.isWhitespace && $0 != "=" && $0 != ">" && $0 != "/" }.lowercased()
            let value = self.takeValue()
            // The first of two attributes of one name counts (HTML 13.2.5.33).
            if attributes[key] == nil { attributes[key] = value }
        }
        self.rest = self.rest.dropFirst()
        if isEnd { return .end(name: name) }
        if name == "script" || name == "style" { self.rawElement = name }
        return .start(name: name, attributes: attributes)
    }

    private mutating func takeValue() -> String {
        self.rest = self.rest.drop(while: \.isWhitespace)
        guard self.rest.first == "=" else { return "" }
        self.rest = self.rest.dropFirst().drop(while: \.isWhitespace)
        guard let quote = self.rest.first, quote == "\"" || quote == "'" else {
            return withoutReferences(self.take { !$0.isWhitespace && $0 != ">" })
        }
        self.rest = self.rest.dropFirst()
        let value = self.take { $0 != quote }
        self.rest = self.rest.dropFirst()
        return withoutReferences(value)
    }

    private mutating func take(while isWanted: (Character) -> Bool) -> Substring {
        let taken = self.rest.prefix(while: isWanted)
        self.rest = self.rest[taken.endIndex...]
        return taken
    }
}

extension Substring {
    /// Where the end tag that begins with `text` starts, in any case of letters.
    fileprivate func range(ofTag text: String) -> Index? {
        var place = self
        while let start = place.firstIndex(of: "<") {
            if self[start...].prefix(text.count).lowercased() == text { return start }
            place = place[start...].dropFirst()
        }
        return nil
    }
}

private let namedReferences: [Substring: String] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "middot": "·",
]

/// Replaces character references by what they stand for; an unknown one stays as it is.
private func withoutReferences(_ text: Substring) -> String {
    var result = ""
    var rest = text
    while let start = rest.firstIndex(of: "&") {
        result += rest[..<start]
        rest = rest[start...]
        guard let end = rest.prefix(12).firstIndex(of: ";") else {
            result.append("&")
            rest = rest.dropFirst()
            continue
        }
        let name = rest[..<end].dropFirst()
        result += character(for: name) ?? String(rest[...end])
        rest = rest[end...].dropFirst()
    }
    return result + rest
}

private func character(for reference: Substring) -> String? {
    guard reference.first == "#" else { return namedReferences[reference] }
    let digits = reference.dropFirst()
    let number =
        digits.first == "x" || digits.first == "X" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits, radix: 10)
    return number.flatMap(Unicode.Scalar.init).map { String(Character($0)) }
}
