import Clientless

extension BoxEvent {
    /// A line that is no event of this version, or of a kind that is not known here.
    struct NotAnEvent: Error, Hashable {
        /// The member at fault, or the event's name; empty if the line is no JSON object.
        let place: String
    }

    /// The event as JSON on one line, without a line end.
    var line: String { self.json.text }

    var json: JSONValue {
        let common = JSONValue.members([
            "version": .integer(Self.version), "number": self.number.map { .integer($0) },
            "event": .string(self.news.name), "time": .integer(self.time.milliseconds),
            "requestor": self.requestor.map { .string($0) },
        ])
        return .object(common.members + self.news.members)
    }

    /// Reads a line. Members that are not known are passed over.
    init(line: String) throws(NotAnEvent) {
        guard let json = JSONValue(reading: Array(line.utf8)) else { throw NotAnEvent(place: "") }
        try self.init(json: json)
    }

    /// Reads an object, such as one of the agent's list.
    init(json: JSONValue) throws(NotAnEvent) {
        guard try EventMember<Int64>.member("version").read(json) == Self.version else {
            throw NotAnEvent(place: "version")
        }
        self.init(
            try News(named: try EventMember.member("event").read(json), json),
            at: Timestamp(milliseconds: try EventMember.member("time").read(json)),
            requestor: try EventMember.optional("requestor").read(json),
            number: try EventMember.optional("number").read(json))
    }
}

extension BoxEvent.News {
    /// Reads the members of an event, as answers of the agent have them, too.
    init(named name: String, _ json: JSONValue) throws(BoxEvent.NotAnEvent) {
        guard let kind = Self.kinds.first(where: { $0.key == name }) else { throw BoxEvent.NotAnEvent(place: name) }
        self = try kind.value.read(json)
    }

    /// The word for it on the wire.
    var name: String { self.written.name }
    /// The members of the event beside the common ones; what is not known is left out.
    var members: [JSONValue.Member] { self.written.members }

    static var schemas: [(name: String, members: [JSONSchema.Property])] {
        self.kinds.map { ($0.key, $0.value.properties) }
    }

    private var written: (name: String, members: [JSONValue.Member]) {
        for kind in Self.kinds {
            if let members = kind.value.write(self) { return (kind.key, members) }
        }
        preconditionFailure("every event is in the list of kinds")
    }

    /// Every kind of event, by its word on the wire.
    fileprivate static let kinds: KeyValuePairs<String, EventShape<Self>> = [
        "code_issued": .part(Self.codeIssued) { if case .codeIssued(let it) = $0 { it } else { nil } },
        "page_opened": .plain(.pageOpened), "signing_in": .plain(.signingIn), "page_left": .plain(.pageLeft),
        "confirming": .plain(.confirming),
        "provider_refused": EventShape(.optional("message"), make: Self.providerRefused) {
            if case .providerRefused(let message) = $0 { .some(message) } else { nil }
        },
        "approved": EventShape(.part(), .member("already"), make: Self.approved) {
            if case .approved(let signIn, let isAlready) = $0 { (signIn, isAlready) } else { nil }
        },
        "declined": .plain(.declined), "expired": .plain(.expired), "cancelled": .plain(.cancelled),
        "interrupted": .plain(.interrupted),
        "slow_down": .one("retryAfter", Self.slowDown) { if case .slowDown(let it) = $0 { it } else { nil } },
        "unreachable": .one("message", Self.unreachable) { if case .unreachable(let it) = $0 { it } else { nil } },
        "reachable": .plain(.reachable),
        "status": .part(Self.status) { if case .status(let it) = $0 { it } else { nil } },
        "signed_out": EventShape(.member("reason"), .optional("logoutUrl"), make: Self.signedOut) {
            if case .signedOut(let reason, let url) = $0 { (reason, url) } else { nil }
        },
        "providers": EventShape(.list("providers"), make: Self.providers) {
            if case .providers(let list) = $0 { list } else { nil }
        },
        "authorized": EventShape(.member("resource"), .optional("expires"), make: Self.authorized) {
            if case .authorized(let resource, let expires) = $0 { (resource, expires) } else { nil }
        },
        "media_token": EventShape(.member("resource"), .member("token"), .optional("expires"), make: Self.mediaToken) {
            if case .mediaToken(let resource, let token, let end) = $0 { (resource, token, end) } else { nil }
        },
        "preauthorized": EventShape(.list("resources"), make: Self.preauthorized) {
            if case .preauthorized(let list) = $0 { list } else { nil }
        },
        "metadata": EventShape(.member("key"), .member("value"), make: Self.metadata) {
            if case .metadata(let key, let value) = $0 { (key, value) } else { nil }
        },
        "boxes": EventShape(.list("boxes"), .member("more"), make: Self.boxes) {
            if case .boxes(let boxes, let hasMore) = $0 { (boxes, hasMore) } else { nil }
        },
        "box_signed_out": .part(Self.boxSignedOut) { if case .boxSignedOut(let it) = $0 { it } else { nil } },
        "check": .part(Self.check) { if case .check(let it) = $0 { it } else { nil } },
        "configured": .one("file", Self.configured) { if case .configured(let it) = $0 { it } else { nil } },
        "permission_asked": .one("application", Self.permissionAsked) {
            if case .permissionAsked(let application) = $0 { application } else { nil }
        },
        "permissions": EventShape(.list("permissions"), make: Self.permissions) {
            if case .permissions(let list) = $0 { list } else { nil }
        },
        "permission_changed": .part(Self.permissionChanged) {
            if case .permissionChanged(let it) = $0 { it } else { nil }
        },
        "text": .one("text", Self.text) { if case .text(let it) = $0 { it } else { nil } },
        "warning": .one("message", Self.warning) { if case .warning(let it) = $0 { it } else { nil } },
        "error": .part(Self.error) { if case .error(let it) = $0 { it } else { nil } },
        "gap": .plain(.gap),
    ]
}

extension EventShape where Whole == BoxEvent.News {
    /// An event that says everything by its name.
    fileprivate static func plain(_ news: BoxEvent.News) -> EventShape {
        EventShape(make: { news }, of: { $0 == news ? () : nil })
    }

    fileprivate static func one<Value: EventValue>(
        _ name: String, _ make: @escaping @Sendable (Value) -> Whole, of take: @escaping @Sendable (Whole) -> Value?
    ) -> EventShape {
        EventShape(.member(name), make: make, of: take)
    }

    fileprivate static func part<Part: EventPart>(
        _ make: @escaping @Sendable (Part) -> Whole, of take: @escaping @Sendable (Whole) -> Part?
    ) -> EventShape {
        EventShape(.part(), make: make, of: take)
    }
}
