import AccessEnabler
import Clientless
import CommandLineTool
import HTTPClient
import Observability
import POSIX
import TextCoding

/// `latchkey agent`.
extension BoxCall {
    func serveAgent() async throws -> ExitCode {
        if self.arguments.has("openapi") {
            return self.reporter.result(.text(AgentDescription.text), AgentDescription.text)
        }
        let settings = try Settings(self.arguments, environment: self.environment, forAgent: true)
        ThisProcess.keepMemoryPrivate()
        ThisProcess.raiseOpenFileLimit()
        let isJournal = self.environment["JOURNAL_STREAM"] != nil
        let logger = Logger(component: "latchkey-agent", format: isJournal ? .journald : .plain)
        try await self.boxAgent(settings, logger).run()
        return .success
    }

    private func boxAgent(_ settings: Settings, _ logger: Logger) -> BoxAgent {
        var requestors = settings.agent.requestors.map { requestor in
            self.requestor(requestor.id, requestor.credentials, settings)
        }
        if !requestors.contains(where: { $0.requestor == settings.requestor }) {
            requestors.insert(self.requestor(settings.requestor, settings.credentials, settings), at: 0)
        }
        // Callers are told apart and need a permission, so every user may connect.
        return BoxAgent(
            requestors: requestors, account: settings.agent.account, serverName: settings.serverName,
            socketPath: self.arguments.value("socket") ?? settings.agent.socket,
            socketMode: settings.agent.mode ?? 0o666, socketGroup: settings.agent.group,
            stateFolder: Folder.containing(settings.stateFile), notifySocket: self.environment["NOTIFY_SOCKET"],
            logger: logger)
    }

    private func requestor(
        _ id: String, _ credentials: AccessEnabler.Credentials, _ settings: Settings
    ) -> BoxAgent.Requestor {
        var configuration = settings.configuration
        let stateFile = settings.stateFile(of: id)
        configuration.tokenStore = AccessEnabler.PrivateFileStore(path: stateFile)
        // The agent gives memory back for all of them at once.
        configuration.givesBackMemoryWhilePolling = false
        return BoxAgent.Requestor(
            requestor: id, credentials: credentials, configuration: configuration, stateFile: stateFile)
    }
}

/// `latchkey account`: the one account of the box, by which the agent signs its requestors in.
struct AccountCommand {
    private let agent: AgentConnection
    private let account: JSONValue
    private let requestor: String
    private let reporter: Reporter

    init(_ agent: AgentConnection, _ reporter: Reporter) async throws(CommandFault) {
        self.agent = agent
        self.account = try await agent.send(.get, "/v1/account")
        self.requestor = self.account["requestor"]?.string ?? ""
        self.reporter = reporter.about(self.requestor)
    }

    func signIn(_ wishes: PairWishes, _ phrases: BoxPhrases) async throws(CommandFault) -> ExitCode {
        let server = try await self.agent.send(.get, "/v1/status")["server"]?.string ?? ""
        let show = PairingShow(
            reporter: self.reporter, wishes: wishes, server: terminalSafe(server), phrases: phrases)
        return try await AgentPairing(agent: self.agent, requestor: self.requestor, show: show).run()
    }

    func signOut() async throws(CommandFault) -> ExitCode {
        _ = try await self.agent.send(.delete, "/v1/requestors/\(self.requestor)/sign-in")
        return self.reporter.result(.signedOut(.signedOut), "The box is signed out.")
    }

    func show() -> ExitCode {
        let reason = self.account["reason"]?.string.flatMap { BoxEvent.Reason(rawValue: $0) }
        guard let mvpd = self.account["mvpd"]?.string else {
            let isPairing = self.account["state"]?.string == BoxEvent.Standing.State.pairing.rawValue
            let why = reason?.clause.map { " (\($0))" } ?? ""
            return self.reporter.result(
                .status(BoxEvent.Standing(state: isPairing ? .pairing : .signedOut, reason: reason)),
                "The box is not signed in\(why). 'latchkey account sign-in' shows a code.", .notSignedIn)
        }
        let signIn = BoxEvent.SignIn(
            mvpd: mvpd, mvpdName: self.account["mvpdName"]?.string, expires: self.account["expires"]?.integer)
        let lifetime = signIn.lifetime.map { ", for another \($0)" } ?? ""
        return self.reporter.result(
            .status(BoxEvent.Standing(state: .signedIn, signIn: signIn)),
            "The box is signed in with \(signIn.displayName), for \(self.requestor)\(lifetime).")
    }
}

/// `latchkey permission`: asks the agent, and has it decide.
extension BoxCall {
    func listPermissions() async throws -> ExitCode {
        try await self.agent { agent, _ in
            let answer = try await agent.send(.get, "/v1/permissions")
            guard case .permissions(let permissions)? = try? BoxEvent.News(named: "permissions", answer) else {
                throw CommandFault.unexpected
            }
            let lines = permissions.map { "\($0.application)  \($0.permission)" }
            return self.reporter.result(
                .permissions(permissions),
                lines.isEmpty ? "No application has asked for a permission." : lines.joined(separator: "\n"))
        }
    }

    func set(_ permission: Permission) async throws -> ExitCode {
        guard let application = Application(self.arguments.operands[0]) else {
            throw CommandFault("usage", "APPLICATION must be unit:NAME, sandbox:ID or user:NAME.", .usage)
        }
        let body = JSONValue.object([.init("permission", .string(permission.rawValue))])
        return try await self.agent { agent, _ in
            _ = try await agent.send(
                .put, "/v1/permissions/\(PercentCoding.encoded(application.name))", body: body)
            self.reporter.event(
                .permissionChanged(
                    BoxEvent.AppPermission(application: application.name, permission: permission)))
            self.reporter.say("\(application.name)  \(permission.rawValue)")
            return .success
        }
    }
}
