import Clientless
import HTTPServer
import TextCoding

/// The resources of one preauthorization, each once.
struct ResourceList {
    /// Their texts as they came, in UTF-8, and what was between them.
    let bytes: [UInt8]
    /// The places of the texts, and their hashes.
    let names: [(place: Range<Int>, hash: UInt32)]
    /// Whether JSON takes the texts as they are.
    let isPlain: Bool

    init(_ resources: [Resource]) {
        var bytes: [UInt8] = []
        self.names = resources.map { resource in
            let name = resource.received.utf8
            bytes += name
            return (bytes.count - name.count..<bytes.count, name.span.hash)
        }
        (self.bytes, self.isPlain) = (bytes, false)
    }

    /// Reads plain identifiers between commas (rest-v1 17): trimmed, without empties and repetitions, in their order.
    /// - Parameter limit: reading stops one past it, which is enough to see that there are too many.
    /// - Throws: a missing `resource` when nothing is left; a malformed one for what cannot be an identifier, documents
    ///   among them: commas would tear them apart.
    init(_ text: String, limit: Int) throws(WireError) {
        let whole = Array(text.utf8)
        let list = whole.span
        let isPlain = JSONText.isPlain(list)
        var (bytes, names): ([UInt8], [(place: Range<Int>, hash: UInt32)]) = (isPlain ? whole : [], [])
        names.reserveCapacity(min(limit + 1, list.count / 8 + 1))
        var next = 0
        while next < list.count, names.count <= limit {
            var (start, end) = (next, list.firstIndex(of: UInt8(ascii: ","), from: next))
            next = end + 1
            // White space around a comma is the list's, not the name's.
            if isPlain {
                while start < end, list[start] == UInt8(ascii: " ") { start += 1 }
                while start < end, list[end - 1] == UInt8(ascii: " ") { end -= 1 }
                guard end - start <= Resource.maximumLength else { throw .invalid("resource") }
            } else {
                let name = String(decoding: whole[start..<end], as: UTF8.self).trimmed
                if !name.isEmpty { _ = try Resource(parameter: "resource", name) }
                start = bytes.count
                bytes += name.utf8
                end = bytes.count
            }
            if start == end { continue }
            guard bytes[start] != UInt8(ascii: "<") else { throw .malformedResource }
            let hash = bytes.span.extracting(start..<end).hash
            if names.contains(where: { $0.hash == hash && bytes[$0.place] == bytes[start..<end] }) { continue }
            names.append((start..<end, hash))
        }
        guard !names.isEmpty else { throw .missing("resource") }
        (self.bytes, self.names, self.isPlain) = (bytes, names, isPlain)
    }

    func text(at place: Int) -> String { String(decoding: self.bytes[self.names[place].place], as: UTF8.self) }

    var resources: [Resource] { self.names.indices.compactMap { Resource(self.text(at: $0)) } }
}

extension String {
    fileprivate var trimmed: String {
        var rest = self.unicodeScalars.drop(while: Self.isSpace)
        while rest.last.map(Self.isSpace) == true { rest.removeLast() }
        return String(rest)
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII ? scalar == " " || ("\t"..."\r").contains(scalar) : scalar.properties.isWhitespace
    }
}

/// The person who uses a promotional trial, as the programmer names them: a JSON object with one configured key
/// (rest-v1 20.3).
struct GenericData {
    /// The longest text read, in bytes.
    static let maximumLength = 4096
    /// The longest value taken, in bytes; a SHA-512 in hexadecimal has 128.
    static let maximumValue = 512

    private let object: FlatJSONObject

    /// - Returns: `nil` if it is no JSON object. Parentheses do for its braces: examples in documentation print them.
    init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength else { return nil }
        var bytes = Array(text.utf8.drop { $0 <= 0x20 })
        while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
        if bytes.first == UInt8(ascii: "("), bytes.last == UInt8(ascii: ")") {
            bytes[0] = UInt8(ascii: "{")
            bytes[bytes.count - 1] = UInt8(ascii: "}")
        }
        guard let object = FlatJSONObject(bytes) else { return nil }
        self.object = object
    }

    /// The value of `key`, when it is a text of 1 to ``maximumValue`` bytes.
    subscript(key: String) -> String? {
        guard let text = self.object.text(key), (1...Self.maximumValue).contains(text.utf8.count) else { return nil }
        return text
    }
}
