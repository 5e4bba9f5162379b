package import Clientless

/// One answer that is written in either form (rest-v1 3.5). JSON has no root name, and XML leaves null members out.
package struct WireDocument: Sendable {
    private let root: XMLName
    private let object: @Sendable (WireFormat) -> JSONValue

    /// - Parameter object: its members, which may differ with the form. In XML one whose name begins with `@` is an attribute.
    package init(_ root: XMLName, _ object: @escaping @Sendable (WireFormat) -> JSONValue) {
        self.root = root
        self.object = object
    }

    package init<Value: Sendable>(_ root: XMLName, _ shape: Shape<Value>, _ value: Value) {
        self.init(root) { shape.json(value, $0.shape) }
    }

    /// The document in `format`, as UTF-8, without insignificant white space.
    package func bytes(_ format: WireFormat) -> [UInt8] {
        let object = self.object(format)
        return switch format {
        case .json: object.bytes
        case .xml: XMLWriter.bytes(of: object.members, in: self.root)
        }
    }
}

extension JSONSchema {
    /// The same as a root element.
    func element(_ root: XMLName) -> JSONSchema {
        self.element(root.local, namespace: root.namespace)
    }
}

/// The name of a root element; children are always in no namespace.
package struct XMLName: Sendable, ExpressibleByStringLiteral {
    let local: String
    let namespace: (prefix: String, uri: String)?

    package init(stringLiteral local: StaticString) {
        self.local = "\(local)"
        self.namespace = nil
    }

    package init(_ local: String, prefix: String, uri: String) {
        self.local = local
        self.namespace = (prefix, uri)
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
