/// The values of a token element by path, such as `simpleTokenMsoID` or `simpleTokenDeviceID/simpleTokenFingerprint`.
struct TokenElement {
    private let values: [String: String]

    /// Reads an element named `root`, two levels deep. Elements that are not known are kept as well: later versions may
    /// add some. White space between elements is nothing.
    /// - Throws: `malformed`; `invalidElement` for an element that is there twice, for two readers may choose
    ///   differently.
    init(reading text: String, root: String) throws(TokenDocumentError) {
        guard let document = FlatXMLDocument(text, maximumLength: SignedTokenDocument.maximumLength, depth: 4),
            document.root == root
        else { throw TokenDocumentError(code: .malformed) }
        if let repeated = document.repeated { throw TokenDocumentError(code: .invalidElement, element: repeated) }
        self.values = document.values
    }

    /// The value at a path.
    /// - Throws: `invalidElement` when the element is missing.
    func text(_ path: String) throws(TokenDocumentError) -> String {
        guard let text = self.values[path] else { throw TokenDocumentError(code: .invalidElement, element: path) }
        return text
    }

    /// The value at a path as `make` reads it.
    /// - Throws: `invalidElement` when the element is missing, or `make` cannot read it.
    func value<Value>(_ path: String, _ make: (String) -> Value?) throws(TokenDocumentError) -> Value {
        guard let value = make(try self.text(path))
        else { throw TokenDocumentError(code: .invalidElement, element: path) }
        return value
    }

    func optionalText(_ path: String) -> String? { self.values[path] }
}

/// Writes a token element on one line.
struct TokenElementWriter {
    private var bytes: [UInt8] = []
    private let root: String

    init(root: String) {
        self.root = root
        self.bytes.reserveCapacity(960)
        self.tag(root)
    }

    /// - Throws: `forbiddenCharacter`.
    mutating func add(_ name: String, _ value: String) throws(TokenDocumentError) {
        guard XMLText.canCarry(value) else { throw TokenDocumentError(code: .forbiddenCharacter, element: name) }
        self.tag(name)
        XMLText.append(value, in: .anywhere, to: &self.bytes)
        self.tag(name, isEnd: true)
    }

    mutating func add(_ outer: String, _ name: String, _ value: String) throws(TokenDocumentError) {
        self.tag(outer)
        try self.add(name, value)
        self.tag(outer, isEnd: true)
    }

    private mutating func tag(_ name: String, isEnd: Bool = false) {
        self.bytes.append(UInt8(ascii: "<"))
        if isEnd { self.bytes.append(UInt8(ascii: "/")) }
        self.bytes += name.utf8
        self.bytes.append(UInt8(ascii: ">"))
    }

    mutating func finish() -> String {
        self.tag(self.root, isEnd: true)
        return String(decoding: self.bytes, as: UTF8.self)
    }
}

package struct TokenDocumentError: Error, Hashable, Sendable {
    package enum Code: String, Hashable, Sendable {
        /// Not a signature element followed by one well-formed token element, or too long.
        case malformed
        /// An element is missing, there twice, or holds what it cannot.
        case invalidElement
        /// A value to be written holds a character that XML 1.0 cannot carry. Leaving it out would make a token for
        /// something else, so the document is refused.
        case forbiddenCharacter
    }

    package let code: Code
    /// The name of the element, if one is to blame; never its content.
    package private(set) var element: String?
}

extension TokenDocumentError: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { self.code.rawValue }
    package var debugDescription: String { "\(self.code): \(self.element ?? "–")" }
}
