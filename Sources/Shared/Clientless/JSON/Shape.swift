/// The members of an object that programs write: the name of each, its schema and how it is read from a value.
///
/// A document, its schema and the JSON of a command all come from it, so that a member is named in one place.
package struct Shape<Value>: Sendable {
    package struct Member: Sendable {
        package let name: String
        let isRequired: Bool
        let schema: @Sendable (TimeForm) -> JSONSchema
        let read: @Sendable (Value, TimeForm) -> JSONValue?

        /// A member that always has a value.
        /// - Parameter schema: instead of the one of its type.
        package init<Part: JSONConvertible>(
            _ name: String, _ read: @escaping @Sendable (Value) -> Part, _ schema: JSONSchema? = nil
        ) {
            self.init(name, isRequired: true, { schema ?? Part.schema($0) }) { read($0).json($1) }
        }

        /// A member that is left out where it has no value.
        package init<Part: JSONConvertible>(
            _ name: String, optional read: @escaping @Sendable (Value) -> Part?, _ schema: JSONSchema? = nil
        ) {
            self.init(name, isRequired: false, { schema ?? Part.schema($0) }) { read($0)?.json($1) }
        }

        /// A list of objects.
        package init<Part>(
            _ name: String, of shape: Shape<Part>, _ read: @escaping @Sendable (Value) -> [Part]
        ) {
            self.init(name, isRequired: true, { .list(of: shape.schema($0)) }) { value, times in
                .array(read(value).map { shape.json($0, times) })
            }
        }

        fileprivate init(
            _ name: String, isRequired: Bool, _ schema: @escaping @Sendable (TimeForm) -> JSONSchema,
            read: @escaping @Sendable (Value, TimeForm) -> JSONValue?
        ) {
            self.name = name
            self.isRequired = isRequired
            self.schema = schema
            self.read = read
        }
    }

    package let members: [Member]

    package init(_ members: Member...) {
        self.members = members
    }

    package init(_ members: [Member]) {
        self.members = members
    }

    /// The same members of a value that is part of another.
    package func members<Whole>(of part: @escaping @Sendable (Whole) -> Value) -> [Shape<Whole>.Member] {
        self.members.map { member in
            .init(member.name, isRequired: member.isRequired, member.schema) { member.read(part($0), $1) }
        }
    }

    /// The same of a part that may be absent.
    package func members<Whole>(optional part: @escaping @Sendable (Whole) -> Value?) -> [Shape<Whole>.Member] {
        self.members.map { member in
            .init(member.name, isRequired: false, member.schema) { whole, times in
                part(whole).flatMap { member.read($0, times) }
            }
        }
    }

    /// The object that `value` is written as.
    package func json(_ value: Value, _ times: TimeForm) -> JSONValue {
        .object(
            self.members.compactMap { member in
                member.read(value, times).map { JSONValue.Member(member.name, $0) }
            })
    }

    /// The schema of the object: these members and no other.
    package func schema(_ times: TimeForm) -> JSONSchema {
        .object(self.members.map { .init($0.name, $0.schema(times), isRequired: $0.isRequired) })
    }
}

/// The form of moments, which each wire has its own of.
package struct TimeForm: Sendable {
    let schema: JSONSchema
    let json: @Sendable (Timestamp) -> JSONValue

    package init(_ schema: JSONSchema, _ json: @escaping @Sendable (Timestamp) -> JSONValue) {
        self.schema = schema
        self.json = json
    }

    /// Milliseconds as text (rest-v1 3.9).
    package static let digits = TimeForm(
        .text(1...19, pattern: "^[0-9]+$").described("Milliseconds since 1970, as text.")
    ) { .string(String($0.milliseconds)) }
}

/// A value that can be a member of a ``Shape``.
package protocol JSONConvertible: SendableMetatype {
    static func schema(_ times: TimeForm) -> JSONSchema
    func json(_ times: TimeForm) -> JSONValue
}

extension String: JSONConvertible {
    package static func schema(_ times: TimeForm) -> JSONSchema { .text() }
    package func json(_ times: TimeForm) -> JSONValue { .string(self) }
}

extension Bool: JSONConvertible {
    package static func schema(_ times: TimeForm) -> JSONSchema { .flag }
    package func json(_ times: TimeForm) -> JSONValue { .boolean(self) }
}

extension Int: JSONConvertible {
    package static func schema(_ times: TimeForm) -> JSONSchema { .integer() }
    package func json(_ times: TimeForm) -> JSONValue { .integer(Int64(self)) }
}

extension JSONValue: JSONConvertible {
    package static func schema(_ times: TimeForm) -> JSONSchema { .any }
    package func json(_ times: TimeForm) -> JSONValue { self }
}

extension Timestamp: JSONConvertible {
    package static func schema(_ times: TimeForm) -> JSONSchema { times.schema }
    package func json(_ times: TimeForm) -> JSONValue { times.json(self) }
}

extension Array: JSONConvertible where Element: JSONConvertible {
    package static func schema(_ times: TimeForm) -> JSONSchema { .list(of: Element.schema(times)) }
    package func json(_ times: TimeForm) -> JSONValue { .array(self.map { $0.json(times) }) }
}

extension RequestorID: JSONConvertible {}
extension MVPDID: JSONConvertible {}

extension WireIdentifier {
    package static func schema(_ times: TimeForm) -> JSONSchema { .text(1...64, pattern: "^[A-Za-z0-9_-]{1,64}$") }
    package func json(_ times: TimeForm) -> JSONValue { .string(self.text) }
}
