package import Clientless

/// One answer that is written in either form (rest-v1 3.5). JSON has no root name, and XML leaves null members out.
package struct WireDocument: Sendable {
    private let root: XMLName
    private let write: @Sendable (inout DocumentWriter) -> Void

    /// - Parameter object: its members, which may differ with the form. In XML one whose name begins with `@` is an attribute.
    package init(_ root: XMLName, _ object: @escaping @Sendable (WireFormat) -> JSONValue) {
        self.root = root
        self.write = { object($0.form.isXML ? .xml : .json).write(to: &$0) }
    }

    package init<Value: Sendable>(_ root: XMLName, _ shape: Shape<Value>, _ value: Value) {
        self.root = root
        self.write = { shape.write(value, to: &$0) }
    }

    /// The document in `format`, as UTF-8, without insignificant white space.
    package func bytes(_ format: WireFormat) -> [UInt8] { DocumentWriter.document(self.root, format, self.write) }
}

extension JSONSchema {
    func element(_ root: XMLName) -> JSONSchema { self.element(root.local, namespace: root.namespace) }
}

/// The name of a root element; children are always in no namespace.
package struct XMLName: Sendable, ExpressibleByStringLiteral {
    let local: String
    let namespace: (prefix: String, uri: String)?
    /// The declaration of XML with the start tag, and the end tag.
    let start, end: [UInt8]

    package init(stringLiteral local: String) { self.init(local, nil) }
    package init(_ local: String, prefix: String, uri: String) { self.init(local, (prefix, uri)) }

    private init(_ local: String, _ namespace: (prefix: String, uri: String)?) {
        (self.local, self.namespace) = (local, namespace)
        let name = namespace.map { "\($0.prefix):\(local)" } ?? local
        let declared = namespace.map { " xmlns:\($0.prefix)=\"\(XMLText.escaped($0.uri))\"" } ?? ""
        self.start = Array("\(DocumentWriter.declaration)<\(name)\(declared)>".utf8)
        self.end = Array("</\(name)>".utf8)
    }

    /// Whether an element may be called `text`: ASCII letters, digits, `_`, `-` and `.`, a letter or `_` first. XML
    /// allows more, and reserves what begins with `xml`; names that come from elsewhere do without both.
    static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, self.isNameStart(first), text.utf8.count <= 256,
            !text.lowercased().hasPrefix("xml")
        else { return false }
        return text.utf8.allSatisfy { byte in
            self.isNameStart(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
        }
    }

    private static func isNameStart(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) && byte < 0x80 || byte == UInt8(ascii: "_")
    }
}
