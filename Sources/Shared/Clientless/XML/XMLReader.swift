/// Reads a small XML document, or refuses it: elements, text, CDATA, comments, references to characters and to the
/// five predefined entities.
///
/// There are no document types, so no entity can be declared and nothing outside the text is ever fetched. Size, depth
/// and number of attributes are bounded. Two leniencies, both harmless to what is read here: names may hold any
/// character beyond ASCII, and namespace prefixes need no declaration.
package struct XMLReader {
    package enum Event: Hashable {
        case start(String)
        case end(String)
        /// A stretch of character data, references resolved; an element's text may come in several.
        case text(String)
    }

    package typealias Attribute = (name: String, value: String)

    /// Of one element.
    private static let mostAttributes = 32

    private let depth: Int
    private var scanner: XMLScanner
    private var open: [String] = []
    private var closesEmptyElement = false
    private var hasRoot = false
    /// Those of the element whose start was the last event, references resolved; no two have the same name.
    package private(set) var attributes: [Attribute] = []
    /// Whether a comment or an instruction was skipped inside the root element.
    package private(set) var skippedForeignContent = false

    /// - Parameter size: the most bytes of UTF-8.
    /// - Throws: `XMLError` when the text is too long, or holds characters that XML cannot carry.
    package init(_ text: String, size: Int, depth: Int = 32) throws(XMLError) {
        guard text.utf8.count <= size, XMLText.canCarry(text) else { throw XMLError() }
        self.depth = depth
        self.scanner = XMLScanner(text)
        try self.skipDeclaration()
    }

    /// The next event, or `nil` once the root element is closed and nothing but comments and white space followed.
    /// - Throws: `XMLError` when the document is not well formed. No call after that makes sense.
    package mutating func next() throws(XMLError) -> Event? {
        if self.closesEmptyElement {
            self.closesEmptyElement = false
            return .end(self.open.removeLast())
        }
        while !self.scanner.isAtEnd {
            if !self.scanner.take("<") {
                let text = try self.scanner.takeCharacterData()
                if !self.open.isEmpty { return .text(text) }
                guard text.utf8.allSatisfy(XMLScanner.isSpace) else { throw XMLError() }
            } else if self.scanner.isAtName {
                return .start(try self.takeStartTag())
            } else if self.scanner.take("/") {
                return .end(try self.takeEndTag())
            } else if self.scanner.take("!--") {
                try self.skipComment()
                self.skippedForeignContent = self.skippedForeignContent || !self.open.isEmpty
            } else if self.scanner.take("?") {
                try self.skipInstruction()
                self.skippedForeignContent = self.skippedForeignContent || !self.open.isEmpty
            } else {
                guard self.scanner.take("![CDATA["), !self.open.isEmpty else { throw XMLError() }
                return .text(XMLScanner.withUnixLineEnds(try self.scanner.takeText(upTo: "]]>")))
            }
        }
        guard self.hasRoot, self.open.isEmpty else { throw XMLError() }
        return nil
    }

    private mutating func takeStartTag() throws(XMLError) -> String {
        guard !(self.open.isEmpty && self.hasRoot), self.open.count < self.depth else { throw XMLError() }
        let name = try self.scanner.takeName()
        self.attributes.removeAll(keepingCapacity: true)
        while true {
            let hasSpace = self.scanner.skipSpace()
            if self.scanner.take(">") { break }
            if self.scanner.take("/>") {
                self.closesEmptyElement = true
                break
            }
            guard hasSpace, self.attributes.count < Self.mostAttributes else { throw XMLError() }
            let attribute = try self.scanner.takeName()
            guard !self.attributes.contains(where: { $0.name == attribute }) else { throw XMLError() }
            _ = self.scanner.skipSpace()
            guard self.scanner.take("=") else { throw XMLError() }
            _ = self.scanner.skipSpace()
            self.attributes.append((attribute, try self.scanner.takeAttributeValue()))
        }
        self.hasRoot = true
        self.open.append(name)
        return name
    }

    private mutating func takeEndTag() throws(XMLError) -> String {
        guard let name = self.open.popLast(), self.scanner.take(name) else { throw XMLError() }
        _ = self.scanner.skipSpace()
        guard self.scanner.take(">") else { throw XMLError() }
        return name
    }

    private mutating func skipComment() throws(XMLError) {
        _ = try self.scanner.takeText(upTo: "--")
        guard self.scanner.take(">") else { throw XMLError() }
    }

    private mutating func skipInstruction() throws(XMLError) {
        let target = try self.scanner.takeName()
        guard target.lowercased() != "xml" else { throw XMLError() }
        _ = try self.scanner.takeText(upTo: "?>")
    }

    /// The declaration may stand at the very beginning only. The encoding that it names no longer matters.
    private mutating func skipDeclaration() throws(XMLError) {
        guard self.scanner.take("<?xml") else { return }
        guard self.scanner.skipSpace() else { throw XMLError() }
        _ = try self.scanner.takeText(upTo: "?>")
    }
}

package struct XMLError: Error {}
