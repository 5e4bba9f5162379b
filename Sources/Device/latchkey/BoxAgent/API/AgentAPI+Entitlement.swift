import Clientless
import HTTPServer

extension AgentAPI {
    private static let failures: [AgentError.Code] = [.unknownRequestor, .notSignedIn, .unreachable]

    var entitlementEndpoints: [AgentEndpoint] {
        [
            AgentEndpoint(
                method: .post, path: "/v1/requestors/{requestor}/authorize", name: "authorize",
                about: "A media token for one playback of a resource", parameters: [Self.requestor],
                body: "AuthorizeRequest", answers: [(200, "The token", "MediaToken")],
                failures: Self.failures + [.notAuthorized],
                handler: .task { (call) throws(AgentError) in try await self.authorize(call) }),
            AgentEndpoint(
                method: .post, path: "/v1/requestors/{requestor}/preauthorize", name: "preauthorize",
                about: "Which resources may be played, for locks in a list", parameters: [Self.requestor],
                body: "PreauthorizeRequest", answers: [(200, "A decision for each", "Preauthorized")],
                failures: Self.failures,
                handler: .task { (call) throws(AgentError) in try await self.preauthorize(call) }),
            AgentEndpoint(
                method: .get, path: "/v1/requestors/{requestor}/metadata", name: "metadata",
                about: "A fact that the provider states about the viewer",
                parameters: [
                    Self.requestor,
                    .init(name: "key", place: .query, schema: .text(), about: "The name, such as zip"),
                ], answers: [(200, "The value", "Metadata")], failures: Self.failures + [.notFound],
                handler: .task { (call) throws(AgentError) in
                    let key = try AgentCall.text("key", call.request.query["key"], limit: Self.nameLimit)
                    guard let value = try await self.desk(call).metadata(key) else {
                        throw AgentError(.notFound, "The provider states nothing of that name.")
                    }
                    return AgentAnswer(.metadata(key: key, value: value))
                }),
            AgentEndpoint(
                method: .delete, path: "/v1/requestors/{requestor}/sign-in", name: "sign-out",
                about:
                    "Signs the viewer out, and withdraws a code; does nothing without either. Signing the account of "
                    + "the box out is for root and the agent's user",
                parameters: [Self.requestor], answers: [(204, "Nobody is signed in", nil)],
                failures: [.unknownRequestor, .storage],
                handler: .task { (call) throws(AgentError) in
                    let desk = try self.desk(call)
                    guard desk.requestor != self.account?.requestor || call.caller.isOperator else {
                        throw AgentError(
                            .permissionDenied,
                            "\(desk.requestor) is the account of the box: only root and the agent's own user may sign it "
                                + "out.")
                    }
                    try await desk.signOut()
                    return .noContent
                }),
        ]
    }

    private func authorize(_ call: AgentCall) async throws(AgentError) -> AgentAnswer {
        let resource = try AgentCall.resource("resource", try call.body("resource")["resource"]?.string)
        return AgentAnswer(try await self.desk(call).authorize(resource))
    }

    private func preauthorize(_ call: AgentCall) async throws(AgentError) -> AgentAnswer {
        guard let values = try call.body("resources")["resources"]?.array,
            (1...Self.resourcesLimit).contains(values.count)
        else { throw AgentError(.badRequest, "resources must be a list of 1 to \(Self.resourcesLimit) texts.") }
        var resources: [String] = []
        for value in values {
            resources.append(try AgentCall.resource("resources", value.string))
        }
        return AgentAnswer(.preauthorized(try await self.desk(call).preauthorize(resources)))
    }
}

extension AgentAPI {
    /// Bytes of a name that the server gave a box.
    private static let handleLimit = 64

    var boxEndpoints: [AgentEndpoint] {
        [
            AgentEndpoint(
                method: .get, path: "/v1/requestors/{requestor}/boxes", name: "boxes",
                about: "The boxes that are signed in with the account of this one", parameters: [Self.requestor],
                answers: [(200, "This box first, then the others", "ViewerBoxes")],
                failures: [.unknownRequestor, .notSignedIn, .unreachable],
                handler: .task { (call) throws(AgentError) in
                    let list = try await self.desk(call).viewerBoxes()
                    return AgentAnswer(.boxes(list.boxes, hasMore: list.hasMore))
                }),
            AgentEndpoint(
                method: .delete, path: "/v1/requestors/{requestor}/boxes/{box}", name: "sign-out-box",
                about: "Signs out another box of the viewer",
                parameters: [
                    Self.requestor,
                    .init(name: "box", place: .path, schema: .text(), about: "The box, as the list names it"),
                ], answers: [(204, "That box is signed out", nil)],
                failures: [.unknownRequestor, .notFound, .notSignedIn, .conflict, .unreachable],
                handler: .task { (call) throws(AgentError) in
                    let box = try AgentCall.text("box", call.request.segment("box"), limit: Self.handleLimit)
                    try await self.desk(call).signOut(box: box)
                    return .noContent
                }),
        ]
    }
}
