import Clientless
import HTTPServer

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
