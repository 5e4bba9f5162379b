/// A name as a list sorts it: by letters without their accents, digits before letters, whatever the case.
struct SortedName: Comparable, Sendable {
    private let key: String

    init(_ name: String) {
        let letters = name.unicodeScalars.lazy.filter { $0.properties.isAlphabetic || $0.properties.numericType != nil }
        self.key = letters.map(Self.plain).joined()
    }

    /// The letter that the name stands under; `#` for digits and for names without any letter.
    var letter: String {
        guard let first = self.key.first, first.isLetter else { return "#" }
        return first.uppercased()
    }

    static func < (one: SortedName, other: SortedName) -> Bool { one.key < other.key }

    /// A letter in lower case and without its accent, which its name in Unicode tells.
    private static func plain(_ scalar: Unicode.Scalar) -> String {
        if scalar.isASCII { return String(scalar).lowercased() }
        let words = (scalar.properties.name ?? "").split(separator: " ")
        guard words.count > 3, words[0] == "LATIN", words[2] == "LETTER", let letter = words.dropFirst(3).first,
            letter.utf8.count <= 2
        else { return scalar.properties.lowercaseMapping }
        return letter.lowercased()
    }
}
