/// Looks at the text of a drawing before, and beside, what its markup says.
enum DrawingText {
    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// - Throws: when a reader of the text may take it for something else: by another encoding, a document type, or an
    ///   instruction such as that for a style sheet.
    static func checkProlog(of bytes: [UInt8]) throws(PictureFault) {
        let folded = bytes.map(Self.folded)
        var rest = folded[...]
        if rest.starts(with: "<?xml".utf8), rest.count > 5, Self.isSpace(rest[5]) {
            guard let end = Self.end(of: "?>", in: rest) else { throw .notWellFormed }
            try Self.checkEncoding(in: rest[..<end])
            rest = rest[end...]
        }
        guard Self.end(of: "<?", in: rest) == nil else { throw .instruction }
        guard Self.end(of: "<!doctype", in: rest) == nil, Self.end(of: "<!entity", in: rest) == nil
        else { throw .documentType }
    }

    /// Text was read as UTF-8, whatever it says that it is; a browser believes what it says.
    private static func checkEncoding(in declaration: ArraySlice<UInt8>) throws(PictureFault) {
        guard let name = Self.end(of: "encoding", in: declaration) else { return }
        let value = declaration[name...].drop { Self.isSpace($0) || $0 == UInt8(ascii: "=") }
        guard let quote = value.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
        else { throw .notWellFormed }
        let encoding = value.dropFirst().prefix { $0 != quote }
        guard encoding.elementsEqual("utf-8".utf8) || encoding.elementsEqual("us-ascii".utf8) else { throw .notUTF8 }
    }

    /// What makes a style load, however it is written.
    private static let loading = [
        "@import", "@font-face", "@namespace", "@charset", "image(", "image-set(", "cross-fade(", "src(", "element(",
        "paint(", "javascript:",
    ]

    /// Whether a style, or an attribute that may be one, refers to nothing but parts of the drawing.
    static func loadsNothing(_ text: String) -> Bool {
        let bytes = text.utf8.map(Self.folded)
        // Most attributes are numbers. A backslash hides the letter behind it.
        guard bytes.contains(where: { $0 == 0x28 || $0 == 0x40 || $0 == 0x3A || $0 == 0x5C }) else { return true }
        guard !bytes.contains(0x5C), Self.loading.allSatisfy({ Self.end(of: $0, in: bytes[...]) == nil })
        else { return false }
        var rest = bytes[...]
        while let end = Self.end(of: "url(", in: rest) {
            rest = rest[end...]
            let target = rest.drop { Self.isSpace($0) || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }
            guard target.first == UInt8(ascii: "#") else { return false }
        }
        return true
    }

    /// A length of SVG without a unit, or in pixels.
    /// - Returns: `nil` for anything else, and for what is no length of a side.
    static func length(_ text: String) -> Double? {
        let digits = text.hasSuffix("px") ? String(text.dropLast(2)) : text
        guard digits.utf8.count <= 32, let value = Double(digits), value.isFinite, value >= 0.001, value <= 1_000_000
        else { return nil }
        return value
    }

    /// A letter of ASCII in lower case.
    private static func folded(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

    /// The place behind the first `word`, which is in lower case.
    private static func end(of word: String, in bytes: ArraySlice<UInt8>) -> Int? {
        let word = Array(word.utf8)
        var place = bytes.startIndex
        while place + word.count <= bytes.endIndex {
            if bytes[place] == word[0], bytes[place..<place + word.count].elementsEqual(word) {
                return place + word.count
            }
            place += 1
        }
        return nil
    }
}
