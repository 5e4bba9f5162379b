/// The members of an object that programs write: the name of each, its schema and how it is read from a value.
///
/// A document, its schema and the JSON of a command all come from it, so that a member is named in one place.
package struct Shape<Value>: Sendable {
    /// Appends members of a value. A generic loop over members would look its types up for each value.
    typealias Writer = @Sendable (Value, ShapeForm, inout [JSONValue.Member]) -> Void

    package struct Member: Sendable {
        /// One that begins with `@` is an attribute, which XML alone has.
        package let name: String
        let schema: @Sendable (ShapeForm) -> JSONSchema
        let write: Writer
        private(set) var isRequired = true
        /// Whether it is `null` where it has no value. XML leaves it out.
        private var isNullable = false
        /// Whether XML alone shows it, or JSON alone.
        private var isForXML: Bool?

        /// A member that always has a value.
        /// - Parameter schema: instead of the one of its type.
        package init<Part: JSONConvertible>(
            _ name: String, _ read: @escaping @Sendable (Value) -> Part, _ schema: JSONSchema? = nil
        ) {
            self.init(name, { schema ?? Part.schema($0) }) { $2.append(.init(name, read($0).json($1))) }
        }

        /// A member that is left out where it has no value.
        package init<Part: JSONConvertible>(
            _ name: String, optional read: @escaping @Sendable (Value) -> Part?, _ schema: JSONSchema? = nil
        ) {
            self.init(name, { schema ?? Part.schema($0) }) { value, form, list in
                if let part = read(value) { list.append(.init(name, part.json(form))) }
            }
            self.isRequired = false
        }

        /// A text, which most members are; a value of any type costs a look at the type each time.
        package init(
            _ name: String, _ read: @escaping @Sendable (Value) -> String, _ schema: JSONSchema = .text()
        ) {
            self.init(name, { _ in schema }) { value, _, list in list.append(.init(name, .string(read(value)))) }
        }

        /// A text that is left out where it has no value.
        package init(
            _ name: String, optional read: @escaping @Sendable (Value) -> String?, _ schema: JSONSchema = .text()
        ) {
            self.init(name, { _ in schema }) { value, _, list in
                if let text = read(value) { list.append(.init(name, .string(text))) }
            }
            self.isRequired = false
        }

        /// A text that is `null` where it has no value.
        package init(_ name: String, orNull read: @escaping @Sendable (Value) -> String?) {
            self.init(name, { $0.isXML ? .text() : JSONSchema.text().orNull }) { value, _, list in
                list.append(.init(name, read(value).map { .string($0) } ?? .null))
            }
            self.isNullable = true
        }

        /// A list of objects.
        package init<Part>(
            _ name: String, of shape: Shape<Part>, _ read: @escaping @Sendable (Value) -> [Part],
            _ schema: JSONSchema? = nil
        ) {
            self.init(name, { .list(of: schema ?? shape.schema($0)) }) { value, form, list in
                list.append(.init(name, .array(read(value).map { shape.json($0, form) })))
            }
        }

        package init<Part>(_ name: String, _ shape: Shape<Part>, _ read: @escaping @Sendable (Value) -> Part) {
            self.init(name, shape.schema) { $2.append(.init(name, shape.json(read($0), $1))) }
        }

        /// An object that is left out where it has no value.
        package init<Part>(
            _ name: String, _ shape: Shape<Part>, optional read: @escaping @Sendable (Value) -> Part?
        ) {
            self.init(name, shape.schema) { value, form, list in
                if let part = read(value) { list.append(.init(name, shape.json(part, form))) }
            }
            self.isRequired = false
        }

        fileprivate init(
            _ name: String, _ schema: @escaping @Sendable (ShapeForm) -> JSONSchema,
            write: @escaping Writer
        ) {
            self.name = name
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
            var member = Shape<Whole>.Member(self.name, self.schema) { whole, form, list in
                if let part = part(whole) { self.write(part, form, &list) }
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

        fileprivate func isShown(_ form: ShapeForm) -> Bool { self.isForXML.map { $0 == form.isXML } ?? true }

        fileprivate func property(_ form: ShapeForm) -> JSONSchema.Property {
            let isRequired = self.isRequired && !(self.isNullable && form.isXML)
            return self.name.hasPrefix("@")
                ? .init(String(self.name.dropFirst()), self.schema(form).asAttribute, isRequired: isRequired)
                : .init(self.name, self.schema(form), isRequired: isRequired)
        }
    }

    package let members: [Member]
    private let json: Writer
    private let xml: Writer

    package init(_ members: Member...) {
        self.init(members)
    }

    /// - Parameter order: of XML's members, where it is another.
    package init(_ members: [Member], inXML order: [String]? = nil) {
        self.members = members
        self.json = Self.all(members.filter { $0.isShown(.json) })
        let shown = members.filter { $0.isShown(.xml) }
        self.xml = Self.all(order.map { $0.compactMap { name in shown.first { $0.name == name } } } ?? shown)
    }

    private static func all(_ members: [Member]) -> Writer {
        var all: Writer = { _, _, _ in }
        for next in members.map(\.write) {
            let before = all
            all = { value, form, list in
                before(value, form, &list)
                next(value, form, &list)
            }
        }
        return all
    }

    /// The same members of a value that is part of another.
    package func members<Whole>(of part: @escaping @Sendable (Whole) -> Value) -> [Shape<Whole>.Member] {
        self.members.map { $0.of(isRequired: true, part) }
    }

    /// The same of a part that may be absent.
    package func members<Whole>(optional part: @escaping @Sendable (Whole) -> Value?) -> [Shape<Whole>.Member] {
        self.members.map { $0.of(isRequired: false, part) }
    }

    /// The object that `value` is written as.
    package func json(_ value: Value, _ form: ShapeForm) -> JSONValue {
        var list: [JSONValue.Member] = []
        list.reserveCapacity(self.members.count)
        (form.isXML ? self.xml : self.json)(value, form, &list)
        return .object(list)
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

/// The form of a wire: how it writes moments, and whether it is XML.
package struct ShapeForm: Sendable {
    package let isXML: Bool
    let moment: JSONSchema
    let json: @Sendable (Timestamp) -> JSONValue

    package init(_ moment: JSONSchema, isXML: Bool = false, _ json: @escaping @Sendable (Timestamp) -> JSONValue) {
        self.isXML = isXML
        self.moment = moment
        self.json = json
    }

    /// JSON with moments as milliseconds in a text (rest-v1 3.9).
    package static let json = digits(isXML: false)
    /// The same in XML.
    package static let xml = digits(isXML: true)

    private static func digits(isXML: Bool) -> ShapeForm {
        .init(
            .text(1...19, pattern: "^[0-9]+$").described("Milliseconds since 1970, as text."), isXML: isXML
        ) { .string(String($0.milliseconds)) }
    }
}

/// A value that can be a member of a ``Shape``.
package protocol JSONConvertible: SendableMetatype {
    static func schema(_ form: ShapeForm) -> JSONSchema
    func json(_ form: ShapeForm) -> JSONValue
}

extension String: JSONConvertible {
    package static func schema(_ form: ShapeForm) -> JSONSchema { .text() }
    package func json(_ form: ShapeForm) -> JSONValue { .string(self) }
}

extension Bool: JSONConvertible {
    package static func schema(_ form: ShapeForm) -> JSONSchema { .flag }
    package func json(_ form: ShapeForm) -> JSONValue { .boolean(self) }
}

extension Int: JSONConvertible {
    package static func schema(_ form: ShapeForm) -> JSONSchema { .integer() }
    package func json(_ form: ShapeForm) -> JSONValue { .integer(Int64(self)) }
}

extension JSONValue: JSONConvertible {
    package static func schema(_ form: ShapeForm) -> JSONSchema { .any }
    package func json(_ form: ShapeForm) -> JSONValue { self }
}

extension Timestamp: JSONConvertible {
    package static func schema(_ form: ShapeForm) -> JSONSchema { form.moment }
    package func json(_ form: ShapeForm) -> JSONValue { form.json(self) }
}

extension Array: JSONConvertible where Element: JSONConvertible {
    package static func schema(_ form: ShapeForm) -> JSONSchema { .list(of: Element.schema(form)) }
    package func json(_ form: ShapeForm) -> JSONValue { .array(self.map { $0.json(form) }) }
}

extension RequestorID: JSONConvertible {}
extension MVPDID: JSONConvertible {}

extension WireIdentifier {
    package static func schema(_ form: ShapeForm) -> JSONSchema { .text(1...64, pattern: "^[A-Za-z0-9_-]{1,64}$") }
    package func json(_ form: ShapeForm) -> JSONValue { .string(self.text) }
}
