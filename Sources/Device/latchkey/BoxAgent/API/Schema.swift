import AccessEnabler
import Clientless

/// The objects of the API, as its description has them.
enum Schema {
    private static let time = JSONSchema.integer().described("Milliseconds since 1970")
    private static let number = JSONSchema.integer(0...Int64(Int32.max) << 21)

    /// An object with these members; those whose names end in `?` may be absent.
    private static func members(_ members: KeyValuePairs<String, JSONSchema>) -> JSONSchema {
        .members(
            members.map { name, schema in
                name.hasSuffix("?") ? .optional(String(name.dropLast()), schema) : .required(name, schema)
            })
    }

    /// An object that an event has the members of.
    private static func event(_ name: String) -> JSONSchema {
        .members(BoxEvent.News.schemas.first { $0.name == name }?.members ?? [])
    }

    /// A sign-in of a requestor, with further members.
    private static func standing(_ more: JSONSchema.Property...) -> JSONSchema {
        let own: [JSONSchema.Property] = [
            .required("requestor", .text()), .required("state", .word(BoxEvent.Standing.State.self)),
            .optional("mvpd", .text()), .optional("mvpdName", .text()), .optional("expires", Self.time),
            .optional("reason", .word(BoxEvent.Reason.self)), .required("checked", .flag),
        ]
        return .members(own + more)
    }

    /// Every schema that an endpoint names.
    static let all: KeyValuePairs<String, JSONSchema> = [
        "Error": Self.members([
            "error": .word(AgentError.Code.self), "message": .text(), "resource?": .text(), "providerMessage?": .text(),
        ]),
        "Box": Self.members([
            "version": .integer(1...1), "program": .text(), "server": .text(), "deviceId?": .text(),
            "requestors": .list(of: .named("Requestor")),
        ]),
        "Requestor": Self.standing(.optional("storeFault", .text())),
        "Providers": Self.event("providers"), "PairingRequest": Self.members(["mvpd?": .text()]),
        "Pairing": Self.members([
            "requestor": .text(), "code": .text(), "displayCode": .text(), "url?": .text(), "pageUrl?": .text(),
            "shortUrl?": .text(), "qr?": .text(), "issued": Self.time, "expires": Self.time,
            "secondsLeft": .integer(0...36_000), "opened": .flag,
        ]),
        "Events": Self.members(["events": .list(of: .named("Event")), "next": Self.number]),
        // Every kind of event is in deploy/contracts/events.schema.json.
        "Event": Self.members([
            "version": .integer(1...1), "number": Self.number, "event": .text(), "time": Self.time,
            "requestor?": .text(),
        ]),
        "AuthorizeRequest": Self.members(["resource": .text()]), "MediaToken": Self.event("media_token"),
        "PreauthorizeRequest": Self.members(["resources": .list(of: .text())]),
        "Preauthorized": Self.event("preauthorized"),
        "Account": Self.standing(.optional("provider", .text()), .optional("kept", .flag)),
        "AccountProviders": Self.members([
            "providers": .list(of: Self.members(["id": .text(), "name": .text(), "provider": .text()]))
        ]),
        "ProfileRequest": Self.members(["request": .text()]), "Profile": Self.members(["profile": .text()]),
        "Metadata": Self.event("metadata"), "ViewerBoxes": Self.event("boxes"),
        "ViewerBox": Self.event("box_signed_out"), "Permission": Self.event("permission_changed"),
        "Permissions": Self.members(["permissions": .list(of: .named("Permission"))]),
        "PermissionChange": Self.members(["permission": .word(Permission.self)]),
    ]
}
