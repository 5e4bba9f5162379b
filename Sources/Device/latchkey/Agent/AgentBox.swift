import BoxEvents
import BoxWords
import Clientless
import CommandLineTool
import HTTPClient
import TextCoding

/// The commands, by way of the agent where one runs on this box: it has the sign-in, and one program writes the state.
struct AgentBox {
    let agent: AgentConnection
    let requestor: String
    let reporter: Reporter
    /// The server as the agent has it.
    let server: String

    /// - Returns: `nil` if no agent serves the box: none listens where the configuration says, or it does not know the
    ///   requestor, or the command line names a server, a state file or a configuration of its own.
    init?(_ arguments: ParsedArguments, _ settings: Settings?, _ reporter: Reporter) async throws(AgentConnection
        .Refusal)
    {
        guard !arguments.has("server"), !arguments.has("state"), !arguments.has("verbose"),
            !arguments.has("config") || settings?.agent.isPlaced == true
        else { return nil }
        self.agent = AgentConnection(socket: settings?.agent.socket ?? AgentSection.defaultSocket)
        let status: JSONValue
        do throws(AgentConnection.Refusal) {
            status = try await self.agent.send(.get, "/v1/status")
        } catch {
            // A user who can read the configuration needs no permission of the agent.
            guard error.isSilent || settings != nil else { throw error }
            return nil
        }
        let known = (status["requestors"]?.array ?? []).compactMap { $0["requestor"]?.string }
        guard let requestor = arguments.value("requestor") ?? settings?.requestor ?? known.first,
            known.contains(requestor)
        else { return nil }
        self.requestor = requestor
        self.server = terminalSafe(status["server"]?.string ?? "")
        self.reporter = reporter.about(requestor)
    }

    /// - Parameters:
    ///   - wishes: those of a pairing; `nil` for any other command.
    ///   - phrases: the viewer's language.
    func run(
        _ path: [String], _ arguments: ParsedArguments, _ wishes: PairWishes?, _ phrases: BoxPhrases
    ) async throws(AgentConnection.Refusal) -> ExitCode {
        let place = "/v1/requestors/\(self.requestor)"
        let operand = arguments.operands.first ?? ""
        switch path.first {
        case "status":
            // This question makes the server look at the sign-in, and the agent notes its end.
            let isChecked = (try? await self.agent.send(.get, "\(place)/boxes")) != nil
            let box = try await self.agent.send(.get, "/v1/status")
            let more = ["server", "deviceId"].compactMap { name in box[name].map { JSONValue.Member(name, $0) } }
            return try self.tell(
                "status", await self.agent.send(.get, place), more + [.init("checked", .boolean(isChecked))])
        case "providers": return try self.tell("providers", await self.agent.send(.get, "\(place)/providers"))
        case "authorize":
            let body = JSONValue.object([.init("resource", .string(operand))])
            return try self.tell("media_token", await self.agent.send(.post, "\(place)/authorize", body: body))
        case "preauthorize":
            let body = JSONValue.object([.init("resources", .array(arguments.operands.map { .string($0) }))])
            return try self.tell("preauthorized", await self.agent.send(.post, "\(place)/preauthorize", body: body))
        case "metadata":
            let key = PercentCoding.encoded(operand)
            return try self.tell("metadata", await self.agent.send(.get, "\(place)/metadata?key=\(key)"))
        case "boxes" where path.last == "sign-out":
            return try await self.reporter.signOutBox(
                operand, among: await self.boxes("\(place)/boxes"), isConfirmed: arguments.has("yes")
            ) { (box) throws(AgentConnection.Refusal) in
                let answer = try await self.agent.send(
                    .delete, "\(place)/boxes/\(PercentCoding.encoded(box))", serves: [404])
                return answer["error"] == nil
            }
        case "boxes": return try self.tell("boxes", await self.agent.send(.get, "\(place)/boxes"))
        case "pair":
            guard let wishes else { return .internalError }
            let show = PairingShow(reporter: self.reporter, wishes: wishes, server: self.server, phrases: phrases)
            return try await AgentPairing(agent: self.agent, requestor: self.requestor, show: show).run()
        default:
            _ = try await self.agent.send(.delete, "\(place)/sign-in")
            self.reporter.event(.signedOut(.signedOut))
            self.reporter.say(phrases.say(.signedOut))
            return .success
        }
    }

    private func boxes(_ path: String) async throws(AgentConnection.Refusal) -> [BoxEvent.ViewerBox] {
        guard case .boxes(let boxes, _) = try? BoxEvent.News(named: "boxes", await self.agent.send(.get, path)) else {
            throw .unexpected
        }
        return boxes
    }

    /// The answer of a call, which has the members of an event.
    private func tell(
        _ name: String, _ answer: JSONValue, _ more: [JSONValue.Member] = []
    ) throws(AgentConnection.Refusal) -> ExitCode {
        guard case .object(let members) = answer,
            let news = try? BoxEvent.News(
                named: name, .object(members.filter { member in !more.contains { $0.name == member.name } } + more))
        else { throw .unexpected }
        return self.reporter.tell(news)
    }
}
