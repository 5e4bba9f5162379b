import AccessEnabler
import Clientless
import HTTPServer

extension AgentAPI {
    var statusEndpoints: [AgentEndpoint] {
        [
            AgentEndpoint(
                method: .get, path: "/v1/status", name: "status", about: "The state of the box and of every requestor",
                answers: [(200, "The box", "Box")],
                handler: .task { (call) throws(AgentError) in try await self.status() }),
            AgentEndpoint(
                method: .get, path: "/v1/requestors/{requestor}", name: "requestor",
                about: "The state of one requestor",
                parameters: [Self.requestor], answers: [(200, "The requestor", "Requestor")],
                failures: [.unknownRequestor],
                handler: .task { (call) throws(AgentError) in
                    return AgentAnswer(json: try await Self.standing(of: try self.desk(call)))
                }),
            AgentEndpoint(
                method: .get, path: "/v1/requestors/{requestor}/providers", name: "providers",
                about: "The TV providers a viewer can sign in with", parameters: [Self.requestor],
                answers: [(200, "The providers", "Providers")], failures: [.unknownRequestor, .unreachable],
                handler: .task { (call) throws(AgentError) in
                    return AgentAnswer(.providers(try await self.desk(call).providers()))
                }),
        ]
    }

    private func status() async throws(AgentError) -> AgentAnswer {
        var requestors: [JSONValue] = []
        for desk in self.desks { requestors.append(try await Self.standing(of: desk)) }
        var members: [JSONValue.Member] = [
            .init("version", .integer(1)), .init("program", .string(HostDescription.programVersion)),
            .init("server", .string(self.server)),
        ]
        if let id = await self.desks.first?.enabler.ownDeviceID() { members.append(.init("deviceId", .string(id))) }
        return AgentAnswer(json: .object(members + [.init("requestors", .array(requestors))]))
    }

    private static func standing(of desk: Desk) async throws(AgentError) -> JSONValue {
        var members = [JSONValue.Member("requestor", .string(desk.requestor))]
        members += BoxEvent.News.status(try await desk.standing()).members
        if let fault = await desk.storeFault() { members.append(.init("storeFault", .string(fault.storeSentence))) }
        return .object(members)
    }
}
