package import Clientless
import Cryptography
import TextCoding

/// A document under way: JSON, or XML 1.0 on one line. Characters XML forbids are dropped: there is no way to write them.
package struct DocumentWriter {
    static let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>"

    let form: ShapeForm
    fileprivate(set) var bytes: [UInt8] = []
    /// The end of the last start tag, and how a text behind it is escaped.
    private var start = (end: 0, place: XMLText.Place.content)

    init(_ form: ShapeForm) {
        self.form = form
        self.bytes.reserveCapacity(960)
    }

    static func document(_ root: XMLName, _ format: WireFormat, _ object: (inout Self) -> Void) -> [UInt8] {
        var writer = DocumentWriter(format.shape)
        switch format {
        case .json: object(&writer)
        case .xml: writer.element(root.start, root.end, object)
        }
        return writer.bytes
    }

    /// Writes a member: an element, or an attribute of the element that was just begun.
    mutating func member(_ name: MemberName, _ value: (inout Self) -> Void) {
        if !self.form.isXML {
            self.bytes += name.json
            value(&self)
        } else if !name.isAttribute {
            self.element(name.start, name.end, value)
        } else {
            self.bytes.removeLast()
            self.bytes += name.start
            self.start.place = .attribute
            value(&self)
            self.bytes += name.end
            self.start = (self.bytes.count, .content)
        }
    }

    /// Writes an element of XML. One without content becomes `<name/>`.
    private mutating func element(_ start: [UInt8], _ end: [UInt8], _ content: (inout Self) -> Void) {
        self.bytes += start
        self.start.end = self.bytes.count
        content(&self)
        if self.bytes.count > self.start.end {
            self.bytes += end
        } else {
            self.bytes[self.start.end - 1] = UInt8(ascii: "/")
            self.bytes.append(UInt8(ascii: ">"))
        }
    }

    mutating func text(_ text: String) {
        if self.form.isXML {
            XMLText.append(text, in: self.start.place, to: &self.bytes)
        } else {
            JSONText.append(text, to: &self.bytes)
        }
    }

    /// Writes what is the same in both forms, such as a number.
    mutating func plain(_ text: String) { self.bytes += text.utf8 }

    mutating func object(_ members: (inout Self) -> Void) {
        self.between(UInt8(ascii: "{"), UInt8(ascii: "}"), members)
    }

    /// Writes a list as a member. XML repeats its element.
    mutating func list<Part>(_ name: MemberName, _ parts: [Part], _ part: (Part, inout Self) -> Void) {
        guard self.form.isXML else { return self.member(name) { $0.list(parts, part) } }
        for next in parts { self.member(name) { part(next, &$0) } }
    }

    mutating func list<Part>(_ parts: [Part], _ part: (Part, inout Self) -> Void) {
        self.between(UInt8(ascii: "["), UInt8(ascii: "]")) { writer in
            for next in parts {
                writer.bytes.append(UInt8(ascii: ","))
                part(next, &writer)
            }
        }
    }

    /// Writes brackets of JSON around parts with a comma before each; the first bracket takes the first comma's place.
    private mutating func between(_ first: UInt8, _ last: UInt8, _ parts: (inout Self) -> Void) {
        let place = self.bytes.count
        parts(&self)
        guard !self.form.isXML else { return }
        if self.bytes.count == place { self.bytes.append(first) } else { self.bytes[place] = first }
        self.bytes.append(last)
    }
}

/// The name of a member as each form writes it. One that begins with `@` is an attribute, which XML alone has.
package struct MemberName: ExpressibleByStringLiteral, Sendable {
    let text: String
    let isAttribute: Bool
    /// With the comma before it.
    fileprivate let json: [UInt8]
    /// The tags around a value, or the marks around that of an attribute.
    fileprivate let start, end: [UInt8]

    package init(stringLiteral name: String) { self.init(name) }

    init(_ name: String) {
        self.text = name
        self.isAttribute = name.hasPrefix("@")
        self.json = Array(",\(JSONText.string(name)):".utf8)
        self.start = Array((self.isAttribute ? " \(name.dropFirst())=\"" : "<\(name)>").utf8)
        self.end = Array((self.isAttribute ? "\">" : "</\(name)>").utf8)
    }
}

/// A value that can be a member of a ``Shape``.
package protocol DocumentValue: SendableMetatype {
    static func schema(_ form: ShapeForm) -> JSONSchema
    /// Writes the value without a name.
    func write(to writer: inout DocumentWriter)
    func write(_ name: MemberName, to writer: inout DocumentWriter)
}

extension DocumentValue {
    package func write(_ name: MemberName, to writer: inout DocumentWriter) {
        writer.member(name) { self.write(to: &$0) }
    }
}

extension String: DocumentValue {
    package static func schema(_ form: ShapeForm) -> JSONSchema { .text() }
    package func write(to writer: inout DocumentWriter) { writer.text(self) }
}

/// Bytes that documents show in Base64.
struct Base64Text: DocumentValue {
    let bytes: [UInt8]

    static func schema(_ form: ShapeForm) -> JSONSchema { .text() }
    func write(to writer: inout DocumentWriter) {
        // Neither form escapes anything of it.
        let mark: [UInt8] = writer.form.isXML ? [] : [UInt8(ascii: "\"")]
        writer.bytes += mark
        Base64.append(self.bytes.span, to: &writer.bytes)
        writer.bytes += mark
    }
}

extension Bool: DocumentValue {
    package static func schema(_ form: ShapeForm) -> JSONSchema { .flag }
    package func write(to writer: inout DocumentWriter) { writer.plain(self ? "true" : "false") }
}

extension Int: DocumentValue {
    package static func schema(_ form: ShapeForm) -> JSONSchema { .integer() }
    package func write(to writer: inout DocumentWriter) { writer.plain(String(self)) }
}

extension Timestamp: DocumentValue {
    package static func schema(_ form: ShapeForm) -> JSONSchema {
        .text(1...19, pattern: "^[0-9]+$").described("Milliseconds since 1970, as text.").example("1767225600000")
    }
    package func write(to writer: inout DocumentWriter) {
        writer.text(writer.form == .civil ? self.timeText : String(self.milliseconds))
    }
}

extension Array: DocumentValue where Element: DocumentValue {
    package static func schema(_ form: ShapeForm) -> JSONSchema { .list(of: Element.schema(form)) }
    package func write(to writer: inout DocumentWriter) { writer.list(self) { $0.write(to: &$1) } }
    package func write(_ name: MemberName, to writer: inout DocumentWriter) {
        writer.list(name, self) { $0.write(to: &$1) }
    }
}

extension RequestorID: DocumentValue {}
extension MVPDID: DocumentValue {}

extension WireIdentifier {
    package static func schema(_ form: ShapeForm) -> JSONSchema { .text(1...64, pattern: "^[A-Za-z0-9_-]{1,64}$") }
    package func write(to writer: inout DocumentWriter) { writer.text(self.text) }
}

/// A value with members that no list names. XML leaves out `null`, and members that cannot name an element.
extension JSONValue: DocumentValue {
    package static func schema(_ form: ShapeForm) -> JSONSchema { .any }

    package func write(to writer: inout DocumentWriter) {
        guard writer.form.isXML else { return (writer.form == .civil ? self.sorted : self).append(to: &writer.bytes) }
        switch self {
        case .object(let members):
            for member in members where member.name.hasPrefix("@") {
                member.value.write(MemberName(member.name), to: &writer)
            }
            for member in members where XMLName.isName(member.name) {
                member.value.write(MemberName(member.name), to: &writer)
            }
        case .string(let text): writer.text(text)
        case .integer, .double, .boolean: writer.plain(self.text)
        case .array, .null: break
        }
    }

    package func write(_ name: MemberName, to writer: inout DocumentWriter) {
        switch self {
        case .array(let values) where writer.form.isXML: for value in values { value.write(name, to: &writer) }
        case .null where writer.form.isXML: break
        case .array, .null, .object, .string, .integer, .double, .boolean: writer.member(name) { self.write(to: &$0) }
        }
    }

    /// The value with members in the order of their names.
    package var sorted: JSONValue {
        switch self {
        case .object(let members):
            .object(members.map { .init($0.name, $0.value.sorted) }.sorted { $0.name < $1.name })
        case .array(let values): .array(values.map(\.sorted))
        case .string, .integer, .double, .boolean, .null: self
        }
    }
}
