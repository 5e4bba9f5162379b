import AccessEnabler
import Clientless
import CommandLineTool
import HTTPClient
import TextCoding

/// The commands, by way of the agent where one runs on this box: it has the sign-in, and one program writes the state.
struct AgentBox: CommandedBox {
    let agent: AgentConnection
    let requestor: String
    let reporter: Reporter
    /// The server as the agent has it.
    let server: String
    let phrases: BoxPhrases

    private var place: String { "/v1/requestors/\(self.requestor)" }

    /// - Returns: `nil` if no agent serves the box: none listens where the configuration says, or it does not know the
    ///   requestor, or the command line names a server, a state file or a configuration of its own.
    init?(
        _ arguments: ParsedArguments, _ settings: Settings?, _ reporter: Reporter, _ phrases: BoxPhrases
    ) async throws(CommandFault) {
        guard !arguments.has("server"), !arguments.has("state"), !arguments.has("verbose"),
            !arguments.has("config") || settings?.agent.isPlaced == true
        else { return nil }
        self.agent = AgentConnection(socket: settings?.agent.socket ?? AgentSection.defaultSocket)
        let status: JSONValue
        do throws(CommandFault) {
            status = try await self.agent.send(.get, "/v1/status")
        } catch {
            // A user who can read the configuration needs no permission of the agent.
            let isUnpermitted = error.failure.code.hasPrefix("permission_")
            guard error.isSilent || (isUnpermitted && settings != nil) else { throw error }
            return nil
        }
        let known = (status["requestors"]?.array ?? []).compactMap { $0["requestor"]?.string }
        guard let requestor = arguments.value("requestor") ?? settings?.requestor ?? known.first,
            known.contains(requestor)
        else { return nil }
        self.requestor = requestor
        self.server = terminalSafe(status["server"]?.string ?? "")
        self.reporter = reporter.about(requestor)
        self.phrases = phrases
    }

    func shutDown() async { await self.agent.shutDown() }

    func status(isOffline: Bool) async throws(CommandFault) -> ExitCode {
        let wasSignedIn = try await self.agent.send(.get, self.place)["mvpd"] != nil
        // This question makes the server look at the sign-in, and the agent notes its end.
        let boxes = try? await self.agent.send(.get, "\(self.place)/boxes", serves: [409])
        let isChecked = boxes.map { $0["error"] == nil || (wasSignedIn && $0["error"] == "not_signed_in") } ?? false
        let box = try await self.agent.send(.get, "/v1/status")
        let more = ["server", "deviceId"].compactMap { name in box[name].map { JSONValue.Member(name, $0) } }
        return try self.tell(
            "status", await self.agent.send(.get, self.place), more + [.init("checked", .boolean(isChecked))])
    }

    func providers() async throws(CommandFault) -> ExitCode {
        try self.tell("providers", await self.agent.send(.get, "\(self.place)/providers"))
    }

    func authorize(_ resource: String) async throws(CommandFault) -> ExitCode {
        let body = JSONValue.object([.init("resource", .string(resource))])
        return try self.tell("media_token", await self.agent.send(.post, "\(self.place)/authorize", body: body))
    }

    func preauthorize(_ resources: [String]) async throws(CommandFault) -> ExitCode {
        let body = JSONValue.object([.init("resources", .array(resources.map { .string($0) }))])
        return try self.tell("preauthorized", await self.agent.send(.post, "\(self.place)/preauthorize", body: body))
    }

    func metadata(_ key: String) async throws(CommandFault) -> ExitCode {
        let query = "key=\(PercentCoding.encoded(key))"
        return try self.tell("metadata", await self.agent.send(.get, "\(self.place)/metadata?\(query)"))
    }

    func boxes() async throws(CommandFault) -> ExitCode {
        try self.tell("boxes", await self.agent.send(.get, "\(self.place)/boxes"))
    }

    func signOutBox(_ name: String, isConfirmed: Bool) async throws(CommandFault) -> ExitCode {
        let answer = try await self.agent.send(.get, "\(self.place)/boxes")
        guard case .boxes(let boxes, _) = try? BoxEvent.News(named: "boxes", answer) else { throw .unexpected }
        return try await self.reporter.signOutBox(name, among: boxes, isConfirmed: isConfirmed) {
            (box) throws(CommandFault) in
            let answer = try await self.agent.send(
                .delete, "\(self.place)/boxes/\(PercentCoding.encoded(box))", serves: [404])
            return answer["error"] == nil
        }
    }

    func pair(_ wishes: PairWishes) async throws(CommandFault) -> ExitCode {
        let show = PairingShow(reporter: self.reporter, wishes: wishes, server: self.server, phrases: self.phrases)
        return try await AgentPairing(agent: self.agent, requestor: self.requestor, show: show).run()
    }

    func logOut() async throws(CommandFault) -> ExitCode {
        try await self.reporter.endSignOut(self.agent.signOut(self.requestor), in: self.phrases)
    }

    /// The answer of a call, which has the members of an event.
    private func tell(
        _ name: String, _ answer: JSONValue, _ more: [JSONValue.Member] = []
    ) throws(CommandFault) -> ExitCode {
        guard case .object(let members) = answer,
            let news = try? BoxEvent.News(
                named: name, .object(members.filter { member in !more.contains { $0.name == member.name } } + more))
        else { throw .unexpected }
        return self.reporter.tell(news)
    }
}
