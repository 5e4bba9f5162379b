import BoxEvents
import Clientless

/// Pieces of JSON Schema, as the description of the API has them.
enum Schema {
    static let text = Self.object(.init("type", .string("string")))
    static let flag = Self.object(.init("type", .string("boolean")))
    static let time = Self.object(
        .init("type", .string("integer")), .init("description", .string("Milliseconds since 1970")))

    static func integer(_ range: ClosedRange<Int64>) -> JSONValue {
        Self.object(
            .init("type", .string("integer")), .init("minimum", .integer(range.lowerBound)),
            .init("maximum", .integer(range.upperBound)))
    }

    static func word(_ words: [String]) -> JSONValue {
        Self.object(.init("type", .string("string")), .init("enum", .array(words.map { .string($0) })))
    }

    static func list(of item: JSONValue) -> JSONValue {
        Self.object(.init("type", .string("array")), .init("items", item))
    }

    static func reference(_ name: String) -> JSONValue {
        Self.object(.init("$ref", .string("#/components/schemas/\(name)")))
    }

    /// An object with these members; those whose names end in `?` may be absent.
    static func members(_ members: (String, JSONValue)...) -> JSONValue {
        let needed = members.map(\.0).filter { !$0.hasSuffix("?") }
        let properties = members.map { name, schema in
            JSONValue.Member(name.hasSuffix("?") ? String(name.dropLast()) : name, schema)
        }
        var list: [JSONValue.Member] = [.init("type", .string("object"))]
        if !needed.isEmpty { list.append(.init("required", .array(needed.map { .string($0) }))) }
        return .object(list + [.init("properties", .object(properties))])
    }

    private static func object(_ members: JSONValue.Member...) -> JSONValue { .object(members) }

    /// Every schema that an endpoint names.
    static let all: [(name: String, schema: JSONValue)] = [
        (
            "Error",
            Self.members(
                ("error", Self.word(AgentError.Code.allCases.map(\.rawValue))), ("message", Self.text),
                ("resource?", Self.text), ("providerMessage?", Self.text))
        ),
        (
            "Box",
            Self.members(
                ("version", Self.integer(1...1)), ("program", Self.text), ("server", Self.text),
                ("deviceId?", Self.text), ("requestors", Self.list(of: Self.reference("Requestor"))))
        ),
        (
            "Requestor",
            Self.members(
                ("requestor", Self.text), ("state", Self.word(BoxEvent.Standing.State.allCases.map(\.rawValue))),
                ("mvpd?", Self.text), ("mvpdName?", Self.text), ("expires?", Self.time),
                ("reason?", Self.word(BoxEvent.Reason.allCases.map(\.rawValue))), ("checked", Self.flag),
                ("storeFault?", Self.text))
        ),
        (
            "Providers",
            Self.members(("providers", Self.list(of: Self.members(("id", Self.text), ("name", Self.text)))))
        ),
        ("PairingRequest", Self.members(("mvpd?", Self.text))),
        (
            "Pairing",
            Self.members(
                ("requestor", Self.text), ("code", Self.text), ("displayCode", Self.text), ("url?", Self.text),
                ("pageUrl?", Self.text), ("shortUrl?", Self.text), ("qr?", Self.text), ("issued", Self.time),
                ("expires", Self.time), ("secondsLeft", Self.integer(0...36_000)), ("opened", Self.flag))
        ),
        (
            "Events",
            Self.members(
                ("events", Self.list(of: Self.reference("Event"))), ("next", Self.integer(0...Int64(Int32.max) << 21)))
        ),
        // Every kind of event is in deploy/contracts/events.schema.json.
        (
            "Event",
            Self.members(
                ("version", Self.integer(1...1)), ("number", Self.integer(0...Int64(Int32.max) << 21)),
                ("event", Self.text), ("time", Self.time), ("requestor?", Self.text))
        ),
        ("AuthorizeRequest", Self.members(("resource", Self.text))),
        ("MediaToken", Self.members(("resource", Self.text), ("token", Self.text), ("expires?", Self.time))),
        ("PreauthorizeRequest", Self.members(("resources", Self.list(of: Self.text)))),
        (
            "Preauthorized",
            Self.members(
                (
                    "resources",
                    Self.list(
                        of: Self.members(
                            ("resource", Self.text), ("authorized", Self.flag), ("message?", Self.text)))
                ))
        ),
        (
            "Account",
            Self.members(
                ("requestor", Self.text), ("state", Self.word(BoxEvent.Standing.State.allCases.map(\.rawValue))),
                ("mvpd?", Self.text), ("mvpdName?", Self.text), ("expires?", Self.time),
                ("reason?", Self.word(BoxEvent.Reason.allCases.map(\.rawValue))), ("checked", Self.flag),
                ("provider?", Self.text))
        ),
        (
            "AccountProviders",
            Self.members(
                (
                    "providers",
                    Self.list(
                        of: Self.members(("id", Self.text), ("name", Self.text), ("provider", Self.text)))
                ))
        ),
        ("ProfileRequest", Self.members(("request", Self.text))),
        ("Profile", Self.members(("profile", Self.text))),
        ("Metadata", Self.members(("key", Self.text), ("value", .object([])))),
        (
            "ViewerBoxes",
            Self.members(("boxes", Self.list(of: Self.reference("ViewerBox"))), ("more", Self.flag))
        ),
        (
            "ViewerBox",
            Self.members(
                ("box", Self.text), ("name?", Self.text), ("model?", Self.text), ("since", Self.time),
                ("seen?", Self.time), ("expires", Self.time), ("this", Self.flag))
        ),
        (
            "Permission",
            Self.members(
                ("application", Self.text), ("permission", Self.word(Permission.allCases.map(\.rawValue))))
        ),
        ("Permissions", Self.members(("permissions", Self.list(of: Self.reference("Permission"))))),
        ("PermissionChange", Self.members(("permission", Self.word(Permission.allCases.map(\.rawValue))))),
    ]
}
