package import Clientless
import FoundationEssentials

extension BoxEvent {
    /// A line that is no event of this version, or of a kind that is not known here.
    package struct NotAnEvent: Error, Hashable {
        /// The member at fault, or the event's name; empty where the line is no JSON object.
        package let place: String

        package init(place: String) {
            self.place = place
        }
    }

    /// Reads a line. Members that are not known are passed over.
    package init(line: String) throws(NotAnEvent) {
        let json: JSONValue
        do {
            json = try JSONDecoder().decode(JSONValue.self, from: Data(line.utf8))
        } catch {
            throw NotAnEvent(place: "")
        }
        try self.init(json: json)
    }

    /// Reads an object, such as one of the agent's list.
    package init(json: JSONValue) throws(NotAnEvent) {
        let reader = EventReader(json)
        guard try reader.integer("version") == Self.version else { throw NotAnEvent(place: "version") }
        self.init(
            try News(reader), at: Timestamp(milliseconds: try reader.integer("time")),
            requestor: try reader.optionalText("requestor"), number: try reader.optionalInteger("number"))
    }
}

extension BoxEvent.News {
    fileprivate init(_ reader: EventReader) throws(BoxEvent.NotAnEvent) {
        let name = try reader.text("event")
        switch name {
        case "code_issued": self = .codeIssued(try BoxEvent.IssuedCode(reader))
        case "page_opened": self = .pageOpened
        case "signing_in": self = .signingIn
        case "page_left": self = .pageLeft
        case "confirming": self = .confirming
        case "provider_refused": self = .providerRefused(message: try reader.optionalText("message"))
        case "approved": self = .approved(try BoxEvent.SignIn(reader), isAlready: try reader.flag("already"))
        case "declined": self = .declined
        case "expired": self = .expired
        case "cancelled": self = .cancelled
        case "interrupted": self = .interrupted
        case "slow_down": self = .slowDown(retryAfter: try reader.integer("retryAfter"))
        case "unreachable": self = .unreachable(message: try reader.text("message"))
        case "reachable": self = .reachable
        case "status": self = .status(try BoxEvent.Standing(reader))
        case "signed_out":
            self = .signedOut(try reader.word("reason"), logoutURL: try reader.optionalText("logoutUrl"))
        case "providers": self = .providers(try reader.list("providers", BoxEvent.Provider.init))
        case "authorized":
            self = .authorized(
                resource: try reader.text("resource"), expires: try reader.optionalInteger("expires"))
        case "media_token":
            self = .mediaToken(
                resource: try reader.text("resource"), token: try reader.text("token"),
                expires: try reader.optionalInteger("expires"))
        case "preauthorized": self = .preauthorized(try reader.list("resources", BoxEvent.Preauthorized.init))
        case "metadata": self = .metadata(key: try reader.text("key"), value: try reader.value("value"))
        case "boxes":
            self = .boxes(
                try reader.list("boxes", BoxEvent.ViewerBox.init), hasMore: try reader.flag("more"))
        case "box_signed_out": self = .boxSignedOut(try BoxEvent.ViewerBox(reader))
        case "check": self = .check(try BoxEvent.Check(reader))
        case "configured": self = .configured(file: try reader.text("file"))
        case "permission_asked": self = .permissionAsked(application: try reader.text("application"))
        case "permissions": self = .permissions(try reader.list("permissions", BoxEvent.AppPermission.init))
        case "permission_changed": self = .permissionChanged(try BoxEvent.AppPermission(reader))
        case "text": self = .text(try reader.text("text"))
        case "warning": self = .warning(message: try reader.text("message"))
        case "error": self = .error(try BoxEvent.Failure(reader))
        case "gap": self = .gap
        default: throw BoxEvent.NotAnEvent(place: name)
        }
    }
}

extension BoxEvent.IssuedCode {
    fileprivate init(_ reader: EventReader) throws(BoxEvent.NotAnEvent) {
        self.init(
            code: try reader.text("code"), displayCode: try reader.text("displayCode"),
            url: try reader.optionalText("url"), pageURL: try reader.optionalText("pageUrl"),
            shortURL: try reader.optionalText("shortUrl"), qr: try reader.optionalText("qr"),
            expires: try reader.integer("expires"), secondsLeft: try reader.integer("secondsLeft"),
            isResumed: try reader.flag("resumed"))
    }
}

extension BoxEvent.SignIn {
    fileprivate init(_ reader: EventReader) throws(BoxEvent.NotAnEvent) {
        self.init(
            mvpd: try reader.text("mvpd"), mvpdName: try reader.optionalText("mvpdName"),
            expires: try reader.optionalInteger("expires"))
    }
}

extension BoxEvent.Standing {
    fileprivate init(_ reader: EventReader) throws(BoxEvent.NotAnEvent) {
        let signIn: BoxEvent.SignIn? =
            if try reader.optionalText("mvpd") == nil { nil } else { try BoxEvent.SignIn(reader) }
        self.init(
            try reader.word("state"), signIn: signIn, reason: try reader.optionalWord("reason"),
            isChecked: try reader.flag("checked"),
            server: try reader.optionalText("server"), deviceID: try reader.optionalText("deviceId"))
    }
}

extension BoxEvent.AppPermission {
    fileprivate init(_ reader: EventReader) throws(BoxEvent.NotAnEvent) {
        self.init(application: try reader.text("application"), permission: try reader.text("permission"))
    }
}

extension BoxEvent.Provider {
    fileprivate init(_ reader: EventReader) throws(BoxEvent.NotAnEvent) {
        self.init(id: try reader.text("id"), name: try reader.text("name"))
    }
}

extension BoxEvent.ViewerBox {
    fileprivate init(_ reader: EventReader) throws(BoxEvent.NotAnEvent) {
        self.init(
            box: try reader.text("box"), name: try reader.optionalText("name"),
            model: try reader.optionalText("model"), since: try reader.integer("since"),
            seen: try reader.optionalInteger("seen"), expires: try reader.integer("expires"),
            isThis: try reader.flag("this"))
    }
}

extension BoxEvent.Preauthorized {
    fileprivate init(_ reader: EventReader) throws(BoxEvent.NotAnEvent) {
        self.init(
            resource: try reader.text("resource"), isAuthorized: try reader.flag("authorized"),
            message: try reader.optionalText("message"))
    }
}

extension BoxEvent.Check {
    fileprivate init(_ reader: EventReader) throws(BoxEvent.NotAnEvent) {
        self.init(
            try reader.text("check"), try reader.word("outcome"), try reader.text("message"),
            advice: try reader.optionalText("advice"))
    }
}

extension BoxEvent.Failure {
    fileprivate init(_ reader: EventReader) throws(BoxEvent.NotAnEvent) {
        self.init(
            code: try reader.text("code"), message: try reader.text("message"),
            exitCode: try reader.optionalInteger("exitCode").map { Int32(clamping: $0) },
            resource: try reader.optionalText("resource"), providerMessage: try reader.optionalText("providerMessage"),
            reason: try reader.optionalWord("reason"))
    }
}

/// Takes members out of an object; a failure names the member.
private struct EventReader {
    private let json: JSONValue

    init(_ json: JSONValue) {
        self.json = json
    }

    func value(_ name: String) throws(BoxEvent.NotAnEvent) -> JSONValue {
        guard let value = self.json[name] else { throw BoxEvent.NotAnEvent(place: name) }
        return value
    }

    func text(_ name: String) throws(BoxEvent.NotAnEvent) -> String {
        guard let text = try self.value(name).string else { throw BoxEvent.NotAnEvent(place: name) }
        return text
    }

    func integer(_ name: String) throws(BoxEvent.NotAnEvent) -> Int64 {
        guard let number = try self.value(name).integer else { throw BoxEvent.NotAnEvent(place: name) }
        return number
    }

    func flag(_ name: String) throws(BoxEvent.NotAnEvent) -> Bool {
        guard let flag = try self.value(name).boolean else { throw BoxEvent.NotAnEvent(place: name) }
        return flag
    }

    func optionalText(_ name: String) throws(BoxEvent.NotAnEvent) -> String? {
        self.json[name] == nil ? nil : try self.text(name)
    }

    func optionalInteger(_ name: String) throws(BoxEvent.NotAnEvent) -> Int64? {
        self.json[name] == nil ? nil : try self.integer(name)
    }

    /// One of a closed set of words.
    func word<Word: RawRepresentable<String>>(_ name: String) throws(BoxEvent.NotAnEvent) -> Word {
        guard let word = Word(rawValue: try self.text(name)) else { throw BoxEvent.NotAnEvent(place: name) }
        return word
    }

    func optionalWord<Word: RawRepresentable<String>>(_ name: String) throws(BoxEvent.NotAnEvent) -> Word? {
        self.json[name] == nil ? nil : try self.word(name)
    }

    func list<Element>(
        _ name: String, _ element: (EventReader) throws(BoxEvent.NotAnEvent) -> Element
    ) throws(BoxEvent.NotAnEvent) -> [Element] {
        guard let values = try self.value(name).array else { throw BoxEvent.NotAnEvent(place: name) }
        var elements: [Element] = []
        for value in values { elements.append(try element(EventReader(value))) }
        return elements
    }
}
