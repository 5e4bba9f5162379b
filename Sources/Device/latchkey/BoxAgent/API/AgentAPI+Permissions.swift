import Clientless
import HTTPServer

extension AgentAPI {
    /// One call of an application waits for its permission, and a few of a user who has several.
    static func heldPermissions() -> HeldCalls { HeldCalls(ofUser: 8, ofApplication: 1) }

    var permissionEndpoints: [AgentEndpoint] {
        [
            AgentEndpoint(
                method: .get, path: "/v1/permission", name: "permission",
                about: "The name of the calling program, and its permission", access: .anyone,
                answers: [(200, "The caller's own permission", "Permission")],
                handler: .task { (call) throws(AgentError) in
                    let permission = self.permissions.permission(of: call.caller)
                    return AgentAnswer(.permissionChanged(Self.entry(call.caller.application, permission)))
                }),
            AgentEndpoint(
                method: .post, path: "/v1/permission", name: "ask-permission",
                about: "Asks the operator of the box for a permission, and may wait for the decision", access: .anyone,
                parameters: [
                    .init(
                        name: "wait", place: .query, schema: .integer(0...Int64(Self.longestWait)),
                        about: "Seconds to hold the question until it is decided; 0 without it", isNeeded: false)
                ],
                answers: [
                    (202, "The question stands; an event told root and the agent's user", "Permission"),
                    (200, "It is decided", "Permission"),
                ], failures: [.tooManyRequests],
                handler: .wait { (call) throws(AgentError) in try self.askPermission(call) }),
            AgentEndpoint(
                method: .get, path: "/v1/permissions", name: "permissions",
                about: "Every application that has a permission or asked for it", access: .operators,
                answers: [(200, "The permissions, by name", "Permissions")],
                handler: .task { (call) throws(AgentError) in
                    return AgentAnswer(
                        .permissions(self.permissions.all.map { Self.entry($0.application, $0.permission) }))
                }),
            AgentEndpoint(
                method: .put, path: "/v1/permissions/{application}", name: "set-permission",
                about: "Grants, denies, or forgets a decision", access: .operators,
                parameters: [
                    .init(
                        name: "application", place: .path, schema: .text(),
                        about: "unit:NAME, sandbox:ID or user:NAME")
                ], body: "PermissionChange", answers: [(204, "It is decided, and kept", nil)],
                failures: [.conflict, .storage],
                handler: .task { (call) throws(AgentError) in
                    try self.setPermission(call)
                    return .noContent
                }),
        ]
    }

    private func askPermission(_ call: AgentCall) throws(AgentError) -> HTTPReply {
        let wait = try Self.number("wait", call.request.query, in: 0...Int64(Self.longestWait)) ?? 0
        _ = try call.body()
        let caller = call.caller
        if self.permissions.ask(for: caller) {
            self.events.publish(.permissionAsked(application: caller.application.name))
        }
        let visit = HeldCalls.Visit(
            caller: caller, wait: .seconds(wait),
            news: {
                let permission = self.permissions.permission(of: caller)
                return permission == .undetermined ? nil : Self.decision(permission, for: caller)
            },
            end: { Self.decision(self.permissions.permission(of: caller), for: caller) })
        guard let reply = self.permissionWaits.reply(to: visit) else {
            throw AgentError(.tooManyRequests, "Too many calls of this application or user wait for the decision.")
        }
        return reply
    }

    private static func decision(_ permission: Permission, for caller: AgentCaller) -> HTTPResponse {
        var answer = AgentAnswer(.permissionChanged(Self.entry(caller.application, permission)))
        answer.status = permission == .undetermined ? .accepted : .ok
        return answer.response
    }

    private static func entry(_ application: Application, _ permission: Permission) -> BoxEvent.AppPermission {
        BoxEvent.AppPermission(application: application.name, permission: permission)
    }

    private func setPermission(_ call: AgentCall) throws(AgentError) {
        guard let application = Application(call.request.segment("application")) else {
            throw AgentError(.badRequest, "application must be unit:NAME, sandbox:ID or user:NAME.")
        }
        guard let word = try call.body("permission")["permission"]?.string, let permission = Permission(rawValue: word)
        else { throw AgentError(.badRequest, "permission must be granted, denied or undetermined.") }
        try self.permissions.decide(permission, for: application)
        self.permissionWaits.look()
        // Those that wait for events and may no longer see any.
        self.events.room.look()
    }
}
