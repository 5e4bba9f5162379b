package import Clientless

extension BoxEvent {
    /// The event as JSON on one line, without a line end.
    package var line: String { self.json.text }

    /// The event as a JSON object.
    package var json: JSONValue {
        let members = Members(self.news)
        var list: [JSONValue.Member] = [.init("version", .integer(Self.version))]
        if let number = self.number { list.append(.init("number", .integer(number))) }
        list.append(.init("event", .string(self.news.name)))
        list.append(.init("time", .integer(self.time.milliseconds)))
        if let requestor = self.requestor { list.append(.init("requestor", .string(requestor))) }
        return .object(list + members.list)
    }
}

extension BoxEvent.News {
    /// The word for it on the wire.
    package var name: String {
        switch self {
        case .codeIssued: "code_issued"
        case .pageOpened: "page_opened"
        case .signingIn: "signing_in"
        case .pageLeft: "page_left"
        case .confirming: "confirming"
        case .providerRefused: "provider_refused"
        case .approved: "approved"
        case .declined: "declined"
        case .expired: "expired"
        case .cancelled: "cancelled"
        case .interrupted: "interrupted"
        case .slowDown: "slow_down"
        case .unreachable: "unreachable"
        case .reachable: "reachable"
        case .status: "status"
        case .signedOut: "signed_out"
        case .providers: "providers"
        case .authorized: "authorized"
        case .mediaToken: "media_token"
        case .preauthorized: "preauthorized"
        case .metadata: "metadata"
        case .boxes: "boxes"
        case .boxSignedOut: "box_signed_out"
        case .check: "check"
        case .configured: "configured"
        case .permissionAsked: "permission_asked"
        case .permissions: "permissions"
        case .permissionChanged: "permission_changed"
        case .text: "text"
        case .warning: "warning"
        case .error: "error"
        case .gap: "gap"
        }
    }
}

extension BoxEvent.Standing {
    /// The members of `R` in the agent's API, `requestor` left out.
    package var members: [JSONValue.Member] {
        var members = Members()
        members.add(self)
        return members.list
    }
}

extension BoxEvent.ViewerBox {
    /// As one of a list, here and in the agent's API.
    package var json: JSONValue {
        var members = Members()
        members.add(self)
        return .object(members.list)
    }
}

/// The members of an event beside the common ones; what is not known is left out.
private struct Members {
    private(set) var list: [JSONValue.Member] = []

    init() {}

    init(_ news: BoxEvent.News) {
        switch news {
        case .codeIssued(let code): self.add(code)
        case .pageOpened, .signingIn, .pageLeft, .confirming, .declined, .expired, .cancelled, .interrupted, .reachable,
            .gap:
            break
        case .providerRefused(let message): self.add("message", message)
        case .approved(let signIn, let isAlready):
            self.add(signIn)
            self.add("already", isAlready)
        case .slowDown(let seconds): self.add("retryAfter", seconds)
        case .unreachable(let message), .warning(let message): self.add("message", message)
        case .status(let standing): self.add(standing)
        case .signedOut(let reason, let logoutURL):
            self.add("reason", reason.rawValue)
            self.add("logoutUrl", logoutURL)
        case .providers(let providers):
            self.add("providers", .array(providers.map(Self.object)))
        case .authorized(let resource, let expires):
            self.add("resource", resource)
            self.add("expires", expires)
        case .mediaToken(let resource, let token, let expires):
            self.add("resource", resource)
            self.add("token", token)
            self.add("expires", expires)
        case .preauthorized(let resources): self.add("resources", .array(resources.map(Self.object)))
        case .metadata(let key, let value):
            self.add("key", key)
            self.add("value", value)
        case .boxes(let boxes, let hasMore):
            self.add("boxes", .array(boxes.map(\.json)))
            self.add("more", hasMore)
        case .boxSignedOut(let box): self.add(box)
        case .check(let check):
            self.add("check", check.name)
            self.add("outcome", check.outcome.rawValue)
            self.add("message", check.message)
            self.add("advice", check.advice)
        case .configured(let file): self.add("file", file)
        case .permissionAsked(let application): self.add("application", application)
        case .permissions(let permissions):
            self.add(
                "permissions",
                .array(
                    permissions.map { permission in
                        var members = Members()
                        members.add(permission)
                        return .object(members.list)
                    }))
        case .permissionChanged(let permission): self.add(permission)
        case .text(let text): self.add("text", text)
        case .error(let failure): self.add(failure)
        }
    }

    private mutating func add(_ code: BoxEvent.IssuedCode) {
        self.add("code", code.code)
        self.add("displayCode", code.displayCode)
        self.add("url", code.url)
        self.add("pageUrl", code.pageURL)
        self.add("shortUrl", code.shortURL)
        self.add("qr", code.qr)
        self.add("expires", code.expires)
        self.add("secondsLeft", code.secondsLeft)
        self.add("resumed", code.isResumed)
    }

    private mutating func add(_ signIn: BoxEvent.SignIn) {
        self.add("mvpd", signIn.mvpd)
        self.add("mvpdName", signIn.mvpdName)
        self.add("expires", signIn.expires)
    }

    mutating func add(_ box: BoxEvent.ViewerBox) {
        self.add("box", box.box)
        self.add("name", box.name)
        self.add("model", box.model)
        self.add("since", box.since)
        self.add("seen", box.seen)
        self.add("expires", box.expires)
        self.add("this", box.isThis)
    }

    mutating func add(_ standing: BoxEvent.Standing) {
        self.add("server", standing.server)
        self.add("deviceId", standing.deviceID)
        self.add("state", standing.state.rawValue)
        if let signIn = standing.signIn { self.add(signIn) }
        self.add("reason", standing.reason?.rawValue)
        self.add("checked", standing.isChecked)
    }

    private mutating func add(_ permission: BoxEvent.AppPermission) {
        self.add("application", permission.application)
        self.add("permission", permission.permission)
    }

    private mutating func add(_ failure: BoxEvent.Failure) {
        self.add("code", failure.code)
        self.add("message", failure.message)
        self.add("exitCode", failure.exitCode.map { Int64($0) })
        self.add("resource", failure.resource)
        self.add("providerMessage", failure.providerMessage)
        self.add("reason", failure.reason?.rawValue)
    }

    private static func object(_ provider: BoxEvent.Provider) -> JSONValue {
        .object([.init("id", .string(provider.id)), .init("name", .string(provider.name))])
    }

    private static func object(_ resource: BoxEvent.Preauthorized) -> JSONValue {
        var members = Members()
        members.add("resource", resource.resource)
        members.add("authorized", resource.isAuthorized)
        members.add("message", resource.message)
        return .object(members.list)
    }

    private mutating func add(_ name: String, _ value: JSONValue) { self.list.append(.init(name, value)) }

    private mutating func add(_ name: String, _ text: String?) {
        if let text { self.add(name, .string(text)) }
    }

    private mutating func add(_ name: String, _ number: Int64?) {
        if let number { self.add(name, .integer(number)) }
    }

    private mutating func add(_ name: String, _ flag: Bool) { self.add(name, .boolean(flag)) }
}
