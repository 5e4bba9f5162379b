import AccessEnabler
import Clientless

/// The members of a value, told once: it is written, read and described by the same list.
struct EventShape<Whole>: Sendable {
    let properties: [JSONSchema.Property]
    /// `nil` for a value of another shape, as an event of another kind is.
    let write: @Sendable (Whole) -> [JSONValue.Member]?
    let read: @Sendable (JSONValue) throws(BoxEvent.NotAnEvent) -> Whole

    init<each Value>(
        _ members: repeat EventMember<each Value>, make: @escaping @Sendable (repeat each Value) -> Whole,
        of take: @escaping @Sendable (Whole) -> (repeat each Value)?
    ) {
        var properties: [JSONSchema.Property] = []
        repeat properties += (each members).properties
        self.properties = properties
        self.write = { whole in
            guard let values = take(whole) else { return nil }
            var list: [JSONValue.Member] = []
            repeat list += (each members).write(each values)
            return list
        }
        self.read = { (json) throws(BoxEvent.NotAnEvent) in make(repeat try (each members).read(json)) }
    }
}

protocol EventPart: Sendable { static var shape: EventShape<Self> { get } }

extension EventPart {
    var members: [JSONValue.Member] { Self.shape.write(self) ?? [] }
}

protocol EventValue: Sendable {
    /// - Returns: `nil` for JSON of another type.
    static func read(_ json: JSONValue) -> Self?
    static var schema: JSONSchema { get }
    var written: JSONValue { get }
}

/// One member of an object, or the members of a part that stand among the others.
struct EventMember<Value>: Sendable {
    let properties: [JSONSchema.Property]
    let write: @Sendable (Value) -> [JSONValue.Member]
    /// - Throws: the name of the member at fault.
    let read: @Sendable (JSONValue) throws(BoxEvent.NotAnEvent) -> Value
}

extension EventMember {
    static func member(_ name: String) -> EventMember where Value: EventValue {
        EventMember(
            properties: [.required(name, Value.schema)], write: { [.init(name, $0.written)] },
            read: { (json) throws(BoxEvent.NotAnEvent) in
                guard let value = json[name].flatMap(Value.read) else { throw BoxEvent.NotAnEvent(place: name) }
                return value
            })
    }

    /// A member that is left out if it is not known.
    static func optional<Known: EventValue>(_ name: String) -> EventMember where Value == Known? {
        let known = EventMember<Known>.member(name)
        return EventMember(
            properties: [.optional(name, Known.schema)], write: { $0.map(known.write) ?? [] },
            read: { (json) throws(BoxEvent.NotAnEvent) in json[name] == nil ? nil : try known.read(json) })
    }

    static func list<Part: EventPart>(_ name: String) -> EventMember where Value == [Part] {
        EventMember(
            properties: [.required(name, .list(of: .members(Part.shape.properties)))],
            write: { parts in [.init(name, .array(parts.map { .object($0.members) }))] },
            read: { (json) throws(BoxEvent.NotAnEvent) in
                guard let values = json[name]?.array else { throw BoxEvent.NotAnEvent(place: name) }
                return try values.map { (value) throws(BoxEvent.NotAnEvent) in try Part.shape.read(value) }
            })
    }

    static func part() -> EventMember where Value: EventPart {
        EventMember(properties: Value.shape.properties, write: { $0.members }, read: Value.shape.read)
    }

    /// A part that is there where one of its members is.
    static func part<Part: EventPart>(where name: String) -> EventMember where Value == Part? {
        EventMember(
            properties: Part.shape.properties.map { .optional($0.name, $0.schema) }, write: { $0?.members ?? [] },
            read: { (json) throws(BoxEvent.NotAnEvent) in json[name] == nil ? nil : try Part.shape.read(json) })
    }
}

extension String: EventValue {
    static func read(_ json: JSONValue) -> String? { json.string }
    static var schema: JSONSchema { .text() }
    var written: JSONValue { .string(self) }
}

extension Int64: EventValue {
    static func read(_ json: JSONValue) -> Int64? { json.integer }
    static var schema: JSONSchema { .integer() }
    var written: JSONValue { .integer(self) }
}

extension Int32: EventValue {
    static func read(_ json: JSONValue) -> Int32? { json.integer.map { Int32(clamping: $0) } }
    static var schema: JSONSchema { .integer() }
    var written: JSONValue { .integer(Int64(self)) }
}

extension Bool: EventValue {
    static func read(_ json: JSONValue) -> Bool? { json.boolean }
    static var schema: JSONSchema { .flag }
    var written: JSONValue { .boolean(self) }
}

extension JSONValue: EventValue {
    static func read(_ json: JSONValue) -> JSONValue? { json }
    static var schema: JSONSchema { .any }
    var written: JSONValue { self }
}

extension EventValue where Self: RawRepresentable<String> & CaseIterable {
    static var schema: JSONSchema { .word(Self.self) }
    static func read(_ json: JSONValue) -> Self? { json.string.flatMap { Self(rawValue: $0) } }
    var written: JSONValue { .string(self.rawValue) }
}

extension Permission: EventValue {}
extension BoxEvent.Reason: EventValue {}
extension BoxEvent.Standing.State: EventValue {}
extension BoxEvent.Check.Outcome: EventValue {}
