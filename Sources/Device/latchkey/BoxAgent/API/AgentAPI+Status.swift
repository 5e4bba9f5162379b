import AccessEnabler
import Clientless
import CommandLineTool
import HTTPServer

extension AgentAPI {
    var statusEndpoints: [AgentEndpoint] {
        [
            AgentEndpoint(
                method: .get, path: "/v1/status", name: "status", about: "The state of the box and of every requestor",
                answers: [(200, "The box", "Box")],
                handler: .task { _ in await self.status() }),
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

    private func status() async -> AgentAnswer {
        var requestors: [JSONValue] = []
        var id: String?
        for desk in self.desks {
            if id == nil { id = try? await desk.enabler.deviceIdentifier() }
            do throws(AgentError) {
                requestors.append(try await Self.standing(of: desk))
            } catch {
                // A state that cannot be read is the fault of one requestor, and the others are served.
                requestors.append([
                    "requestor": .string(desk.requestor), "state": "signed_out", "checked": false,
                    "storeFault": .string(error.message),
                ])
            }
        }
        return AgentAnswer(
            json: .members([
                "version": 1, "program": .string(CommandLineProgram.releasedVersion), "server": .string(self.server),
                "deviceId": id.map { .string($0) }, "requestors": .array(requestors),
            ]))
    }

    private static func standing(of desk: Desk) async throws(AgentError) -> JSONValue {
        var members = [JSONValue.Member("requestor", .string(desk.requestor))]
        members += BoxEvent.News.status(try await desk.standing()).members
        if let fault = await desk.storeFault() { members.append(.init("storeFault", .string(fault.storeSentence))) }
        return .object(members)
    }
}

extension AgentAPI {
    private static let path = "/v1/requestors/{requestor}/pairing"

    var pairingEndpoints: [AgentEndpoint] {
        [
            AgentEndpoint(
                method: .post, path: Self.path, name: "start-pairing",
                about: "Shows a code, or tells the one that is on show: there is one pairing at a time",
                parameters: [Self.requestor], body: "PairingRequest",
                answers: [(201, "A new code", "Pairing"), (200, "The code that is on show", "Pairing")],
                failures: [.unknownRequestor, .alreadySignedIn, .noProvider, .conflict, .unreachable, .storage],
                handler: .task { (call) throws(AgentError) in
                    let mvpd = try call.body("mvpd")["mvpd"]
                    let id = try mvpd.map { (value) throws(AgentError) in
                        try AgentCall.text("mvpd", value.string, limit: Self.nameLimit)
                    }
                    let desk = try self.desk(call)
                    let (shown, isNew) = try await desk.startPairing(mvpdID: id)
                    return AgentAnswer(status: isNew ? .created : .ok, json: Self.pairing(shown, desk))
                }),
            AgentEndpoint(
                method: .get, path: Self.path, name: "pairing", about: "The code that is on show",
                parameters: [Self.requestor], answers: [(200, "The code", "Pairing")],
                failures: [.unknownRequestor, .notFound],
                handler: .task { (call) throws(AgentError) in
                    let desk = try self.desk(call)
                    guard let shown = desk.board.shown else {
                        throw AgentError(.notFound, "No pairing runs for this requestor.")
                    }
                    return AgentAnswer(json: Self.pairing(shown, desk))
                }),
            AgentEndpoint(
                method: .delete, path: Self.path, name: "cancel-pairing",
                about: "Withdraws the code; does nothing without one", parameters: [Self.requestor],
                answers: [(204, "No code is on show", nil)], failures: [.unknownRequestor],
                handler: .task { (call) throws(AgentError) in
                    await (try self.desk(call)).cancelPairing()
                    return .noContent
                }),
        ]
    }

    private static func pairing(_ shown: PairingRecord.Shown, _ desk: Desk) -> JSONValue {
        var code = shown.code
        code.secondsLeft = shown.live.timeLeft.components.seconds
        return .object(
            [.init("requestor", .string(desk.requestor))]
                + BoxEvent.News.codeIssued(code).members.filter { $0.name != "resumed" } + [
                    .init("issued", .integer(shown.issued.milliseconds)), .init("opened", .boolean(shown.isOpened)),
                ])
    }
}
