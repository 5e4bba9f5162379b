import FoundationEssentials

/// XML as `xmllint` of libxml2 reads it, a parser that is not ours.
package enum CanonicalXML {
    /// Text that is equal byte for byte. Swift holds texts equal that Unicode does, and a parser must not do that.
    package struct Text: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
        private let bytes: [UInt8]

        package init(_ text: String) { self.bytes = Array(text.utf8) }
        package init(stringLiteral text: String) { self.init(text) }

        package var isEmpty: Bool { self.bytes.isEmpty }
        package var description: String { String(decoding: self.bytes, as: UTF8.self).debugDescription }
    }

    /// One element as it was read.
    package struct Element: Sendable, Hashable {
        package let name: String
        package var attributes: [String: Text] = [:]
        package var children: [Element] = []
        /// All text directly in it, joined.
        package var text: Text

        package init(_ name: String, attributes: [String: Text] = [:], children: [Element] = [], text: Text = "") {
            self.name = name
            self.attributes = attributes
            self.children = children
            self.text = text
        }
    }

    package struct Refused: Error, CustomStringConvertible {
        package let description: String
    }

    /// Lets one process read all of `documents`.
    ///
    /// `xmllint` writes what it has read in canonical form (Canonical XML 1.0), one document after the other; that form
    /// has so little variety that a few lines read it back.
    /// - Throws: ``Refused`` when libxml2 finds any of them not well formed.
    package static func read(_ documents: [[UInt8]]) async throws -> [Element] {
        let folder = try TemporaryFolder()
        var files: [String] = []
        for (index, document) in documents.enumerated() {
            let file = folder.file("\(index).xml")
            try Data(document).write(to: URL(filePath: file))
            files.append(file)
        }
        let (end, output, talk) = try await ChildProcess("xmllint", ["--nonet", "--c14n"] + files).run()
        guard end == .exited(0) else { throw Refused(description: "\(end): \(talk.prefix(2000))") }
        var reader = CanonicalReader(output)
        let elements = try reader.elements()
        guard elements.count == documents.count else {
            throw Refused(description: "\(elements.count) of \(documents.count) documents were read")
        }
        return elements
    }
}

/// Reads canonical XML: tags without spare white space, double quotes, and six references.
private struct CanonicalReader {
    private var rest: Substring.UTF8View

    init(_ text: String) { self.rest = Substring(text).utf8 }

    /// The roots of all documents.
    mutating func elements() throws -> [CanonicalXML.Element] {
        var elements: [CanonicalXML.Element] = []
        while true {
            // Nothing but the line end that the process's output got may stand between them.
            self.rest = self.rest.drop { $0 == UInt8(ascii: "\n") }
            guard !self.rest.isEmpty else { return elements }
            try self.expect("<")
            elements.append(try self.element())
        }
    }

    /// The rest of an element whose `<` is taken.
    private mutating func element() throws -> CanonicalXML.Element {
        let name = self.take { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: ">") }
        var element = CanonicalXML.Element(name)
        while self.rest.first == UInt8(ascii: " ") {
            try self.expect(" ")
            let attribute = self.take { $0 != UInt8(ascii: "=") }
            try self.expect("=\"")
            element.attributes[attribute] = CanonicalXML.Text(try self.plain(self.take { $0 != UInt8(ascii: "\"") }))
            try self.expect("\"")
        }
        try self.expect(">")
        var text = ""
        while true {
            text += try self.plain(self.take { $0 != UInt8(ascii: "<") })
            try self.expect("<")
            guard self.rest.first == UInt8(ascii: "/") else {
                element.children.append(try self.element())
                continue
            }
            try self.expect("/\(name)>")
            element.text = CanonicalXML.Text(text)
            return element
        }
    }

    private mutating func take(while isWanted: (UInt8) -> Bool) -> String {
        let taken = self.rest.prefix(while: isWanted)
        self.rest = self.rest[taken.endIndex...]
        return String(Substring(taken))
    }

    private mutating func expect(_ text: String) throws {
        guard self.rest.starts(with: text.utf8) else {
            throw CanonicalXML.Refused(description: "no \(text) at: \(Substring(self.rest.prefix(80)))")
        }
        self.rest = self.rest.dropFirst(text.utf8.count)
    }

    private func plain(_ text: String) throws -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var result = ""
        // By scalars: a reference may stand before a mark that would join its semicolon to one character.
        var rest = text.unicodeScalars[...]
        while let start = rest.firstIndex(of: "&") {
            result.unicodeScalars.append(contentsOf: rest[..<start])
            guard let end = rest[start...].firstIndex(of: ";"),
                let character = Self.references[String(rest[start...end])]
            else { throw CanonicalXML.Refused(description: "an unknown reference in \(text.prefix(200))") }
            result.unicodeScalars.append(character)
            rest = rest[end...].dropFirst()
        }
        result.unicodeScalars.append(contentsOf: rest)
        return result
    }

    private static let references: [String: Unicode.Scalar] = [
        "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": "\"", "&#x9;": "\t", "&#xA;": "\n", "&#xD;": "\r",
    ]
}
