package import Clientless

/// The members of an object that programs write: the name of each, its schema and how it is read from a value.
///
/// A document, its schema and the JSON of a command all come from it, so that a member is named in one place.
package struct Shape<Value>: Sendable {
    typealias Writer = @Sendable (Value, inout DocumentWriter) -> Void

    package struct Member: Sendable {
        private let written: MemberName
        let schema: @Sendable (ShapeForm) -> JSONSchema
        let write: Writer
        private(set) var isRequired = true
        /// Whether it is `null` where it has no value. XML leaves it out.
        private var isNullable = false
        /// Whether XML alone shows it, or JSON alone.
        private var isForXML: Bool?

        /// A member that always has a value.
        /// - Parameter schema: instead of the one of its type.
        package init<Part: DocumentValue>(
            _ name: MemberName, _ read: @escaping @Sendable (Value) -> Part, _ schema: JSONSchema? = nil
        ) {
            self.init(name, { schema ?? Part.schema($0) }) { read($0).write(name, to: &$1) }
        }

        /// A member that is left out where it has no value.
        package init<Part: DocumentValue>(
            _ name: MemberName, optional read: @escaping @Sendable (Value) -> Part?, _ schema: JSONSchema? = nil
        ) {
            self.init(name, { schema ?? Part.schema($0) }) { read($0)?.write(name, to: &$1) }
            self.isRequired = false
        }

        /// A text that is `null` where it has no value.
        package init(_ name: MemberName, orNull read: @escaping @Sendable (Value) -> String?) {
            self.init(name, { $0.isXML ? .text() : JSONSchema.text().orNull }) { value, writer in
                if let text = read(value) { return text.write(name, to: &writer) }
                if !writer.form.isXML { writer.member(name) { $0.plain("null") } }
            }
            self.isNullable = true
        }

        /// A list of objects.
        package init<Part>(
            _ name: MemberName, of shape: Shape<Part>, _ read: @escaping @Sendable (Value) -> [Part],
            _ schema: JSONSchema? = nil
        ) {
            self.init(name, { .list(of: schema ?? shape.schema($0)) }) { $1.list(name, read($0), shape.write) }
        }

        package init<Part>(_ name: MemberName, _ shape: Shape<Part>, _ read: @escaping @Sendable (Value) -> Part) {
            self.init(name, shape, optional: read)
            self.isRequired = true
        }

        /// An object that is left out where it has no value.
        package init<Part>(
            _ name: MemberName, _ shape: Shape<Part>, optional read: @escaping @Sendable (Value) -> Part?
        ) {
            self.init(name, shape.schema) { value, writer in
                if let part = read(value) { writer.member(name) { shape.write(part, to: &$0) } }
            }
            self.isRequired = false
        }

        fileprivate init(
            _ name: MemberName, _ schema: @escaping @Sendable (ShapeForm) -> JSONSchema, write: @escaping Writer
        ) {
            self.written = name
            self.schema = schema
            self.write = write
        }

        /// The same in JSON alone.
        package var inJSON: Member { self.shown(inXML: false) }
        /// The same in XML alone.
        package var inXML: Member { self.shown(inXML: true) }
        /// The same for a value that is part of another.
        fileprivate func of<Whole>(
            isRequired: Bool, _ part: @escaping @Sendable (Whole) -> Value?
        ) -> Shape<Whole>.Member {
            var member = Shape<Whole>.Member(self.written, self.schema) { whole, writer in
                if let part = part(whole) { self.write(part, &writer) }
            }
            member.isRequired = isRequired && self.isRequired
            (member.isNullable, member.isForXML) = (self.isNullable, self.isForXML)
            return member
        }

        private func shown(inXML isForXML: Bool) -> Member {
            var copy = self
            copy.isForXML = isForXML
            return copy
        }

        package var name: String { self.written.text }
        fileprivate var isAttribute: Bool { self.written.isAttribute }
        fileprivate func isShown(_ form: ShapeForm) -> Bool { self.isForXML.map { $0 == form.isXML } ?? true }

        fileprivate func property(_ form: ShapeForm) -> JSONSchema.Property {
            let isRequired = self.isRequired && !(self.isNullable && form.isXML)
            return self.isAttribute
                ? .init(String(self.name.dropFirst()), self.schema(form).asAttribute, isRequired: isRequired)
                : .init(self.name, self.schema(form), isRequired: isRequired)
        }
    }

    package let members: [Member]
    private let json, xml, sorted: [Writer]

    package init(_ members: Member...) { self.init(members) }

    /// - Parameter order: of XML's members, where it is another.
    package init(_ members: [Member], inXML order: [String]? = nil) {
        self.members = members
        let (json, xml) = (members.filter { $0.isShown(.json) }, members.filter { $0.isShown(.xml) })
        self.json = json.map(\.write)
        self.sorted = json.sorted { $0.name < $1.name }.map(\.write)
        // The attributes stand in the start tag.
        let shown = order.map { $0.compactMap { name in xml.first { $0.name == name } } } ?? xml
        self.xml = (shown.filter(\.isAttribute) + shown.filter { !$0.isAttribute }).map(\.write)
    }

    /// The same members of a value that is part of another.
    package func members<Whole>(
        isRequired: Bool = true, of part: @escaping @Sendable (Whole) -> Value?
    ) -> [Shape<Whole>.Member] { self.members.map { $0.of(isRequired: isRequired, part) } }

    package func write(_ value: Value, to writer: inout DocumentWriter) {
        let members = writer.form.isXML ? self.xml : writer.form == .civil ? self.sorted : self.json
        writer.object { for member in members { member(value, &$0) } }
    }

    package func bytes(_ value: Value, _ form: ShapeForm) -> [UInt8] {
        var writer = DocumentWriter(form)
        self.write(value, to: &writer)
        return writer.bytes
    }

    /// The schema of the object: these members and no other.
    package func schema(_ form: ShapeForm) -> JSONSchema {
        .object(self.members.filter { $0.isShown(form) }.map { $0.property(form) })
    }

    /// The schema of a kind of the object, which has some of the members.
    package func schema(_ form: ShapeForm, _ required: Set<String>, optional: Set<String> = []) -> JSONSchema {
        .object(
            self.members.filter { $0.isShown(form) && (required.contains($0.name) || optional.contains($0.name)) }
                .map { .init($0.name, $0.schema(form), isRequired: required.contains($0.name)) })
    }
}

/// The form of a wire: whether it is XML, and how it writes moments.
package enum ShapeForm: Sendable {
    /// JSON with moments as milliseconds in a text (rest-v1 3.9).
    case json
    case xml
    /// JSON for people and scripts, with moments to the second (RFC 3339) and members in the order of their names.
    case civil

    package var isXML: Bool { self == .xml }
}
