import Clientless

/// One answer as a tree that either form is written from (rest-v1 3.5).
///
/// The forms differ in more than syntax: JSON has no root name, XML leaves null members out, and for some answers
/// order and members differ. ``WireObject`` says all of that once.
package struct WireDocument: Hashable, Sendable {
    /// The root element; JSON does not show it.
    package let root: XMLName
    package let object: WireObject

    package init(_ root: XMLName, _ object: WireObject) {
        self.root = root
        self.object = object
    }

    /// The document in `format`, as UTF-8, without insignificant white space.
    package func bytes(_ format: WireFormat) -> [UInt8] {
        switch format {
        case .json: JSONWriter.bytes(of: self.object)
        case .xml: XMLWriter.bytes(of: self)
        }
    }
}

/// The name of a root element; children are always in no namespace.
package struct XMLName: Hashable, Sendable, ExpressibleByStringLiteral {
    package let local: String
    package let namespace: Namespace?

    package struct Namespace: Hashable, Sendable {
        package let prefix: String
        package let uri: String
    }

    package init(stringLiteral local: StaticString) {
        self.local = "\(local)"
        self.namespace = nil
    }

    package init(_ local: String, prefix: String, uri: String) {
        self.local = local
        self.namespace = Namespace(prefix: prefix, uri: uri)
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

/// A value of either form.
package enum WireValue: Hashable, Sendable {
    case string(String)
    case integer(Int64)
    case bool(Bool)
    /// `null` in JSON; in XML the element is left out.
    case null
    /// In XML the element is repeated.
    case array([WireValue])
    case object(WireObject)

    /// The text, or null for `nil`.
    package static func optional(_ text: String?) -> WireValue {
        text.map { .string($0) } ?? .null
    }
}

extension WireObject {
    /// Members that either form shows alike.
    init(_ members: [JSONValue.Member]) {
        self.init(members.map { Member($0.name, WireValue($0.value)) })
    }
}

extension WireValue {
    fileprivate init(_ json: JSONValue) {
        switch json {
        case .string(let text): self = .string(text)
        case .integer(let number): self = .integer(number)
        case .double(let number): self = .string(String(number))
        case .boolean(let flag): self = .bool(flag)
        case .null: self = .null
        case .array(let values): self = .array(values.map { WireValue($0) })
        case .object(let members): self = .object(WireObject(members))
        }
    }
}

/// Members in the order JSON shows them.
package struct WireObject: Hashable, Sendable {
    package struct Member: Hashable, Sendable {
        package let name: String
        package let value: WireValue
        /// The only form that shows the member; `nil` for both.
        package let only: WireFormat?

        package init(_ name: String, _ value: WireValue, only: WireFormat? = nil) {
            self.name = name
            self.value = value
            self.only = only
        }
    }

    package struct Attribute: Hashable, Sendable {
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package let members: [Member]
    /// XML alone shows them.
    package let attributes: [Attribute]
    /// The order of XML's children, where it is another; it names every member XML shows.
    package let xmlOrder: [String]?

    package init(_ members: [Member], attributes: [Attribute] = [], xmlOrder: [String]? = nil) {
        self.members = members
        self.attributes = attributes
        self.xmlOrder = xmlOrder
    }

    /// The members that XML shows, in its order.
    var membersOfXML: [Member] {
        let shown = self.members.filter { $0.only != .json }
        guard let order = self.xmlOrder else { return shown }
        return order.compactMap { name in shown.first { $0.name == name } }
    }
}
