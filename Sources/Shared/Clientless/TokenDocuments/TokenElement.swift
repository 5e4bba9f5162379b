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

/// The form of a token element: its tags, in the order in which its values stand between them, on one line.
struct TokenElementForm: Sendable {
    private let paths: [String]
    /// The text before the first value, between each two, and behind the last.
    private let tags: [[UInt8]]

    /// - Parameter paths: of the values, such as `simpleTokenMsoID` or `simpleTokenDeviceID/simpleTokenFingerprint`.
    init(root: String, _ paths: String...) {
        self.paths = paths
        var tags = ["<\(root)>"]
        for path in paths {
            let names = path.split(separator: "/")
            tags[tags.count - 1] += names.map { "<\($0)>" }.joined()
            tags.append(names.reversed().map { "</\($0)>" }.joined())
        }
        tags[tags.count - 1] += "</\(root)>"
        self.tags = tags.map { Array($0.utf8) }
    }

    /// - Parameter values: as many as there are paths.
    /// - Throws: `forbiddenCharacter`.
    func element(_ values: String...) throws(TokenDocumentError) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(960)
        bytes += self.tags[0]
        for (place, value) in values.enumerated() {
            guard XMLText.append(value, in: .anywhere, to: &bytes)
            else { throw TokenDocumentError(code: .forbiddenCharacter, element: self.paths[place]) }
            bytes += self.tags[place + 1]
        }
        return String(decoding: bytes, as: UTF8.self)
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
