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
        let settings = try Settings(self.arguments, environment: self.environment)
        ThisProcess.keepMemoryPrivate()
        ThisProcess.raiseOpenFileLimit()
        let isJournal = self.environment["JOURNAL_STREAM"] != nil
        let logger = Logger(component: "latchkey-agent", format: isJournal ? .journald : .plain)
        try await self.boxAgent(settings, logger).run()
        return .success
    }

    private func boxAgent(_ settings: Settings, _ logger: Logger) -> BoxAgent {
        // The one of the commands is first, for users who cannot read the configuration.
        let others = settings.agent.requestors.filter { $0.id != settings.requestor }
        let requestors =
            [self.requestor(settings.requestor, settings.credentials, settings)]
            + others.map { self.requestor($0.id, $0.credentials, settings) }
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
extension BoxCall {
    /// Lends the way to the agent, with the account and the requestor whose sign-in it is.
    /// - Parameter serves: failures that the work goes on after, if the configuration names the requestor.
    private func account(
        serves: Set<Int> = [],
        _ work: (AgentConnection, Settings?, _ account: JSONValue, _ requestor: String) async throws -> ExitCode
    ) async throws -> ExitCode {
        try await self.agent { agent, settings in
            let account = try await agent.send(.get, "/v1/account", serves: serves)
            guard let requestor = account["requestor"]?.string ?? settings?.agent.account else {
                throw CommandFault(503, account)
            }
            return try await work(agent, settings, account, requestor)
        }
    }

    func signInAccount() async throws -> ExitCode {
        let wishes = try PairWishes(self.arguments)
        return try await self.account(serves: [503]) { agent, settings, _, requestor in
            let server = try await agent.send(.get, "/v1/status")["server"]?.string ?? ""
            let show = PairingShow(
                reporter: self.reporter.about(requestor), wishes: wishes, server: terminalSafe(server),
                phrases: self.phrases(wishes.language ?? settings?.language))
            return try await AgentPairing(agent: agent, requestor: requestor, show: show).run()
        }
    }

    func signOutAccount() async throws -> ExitCode {
        try await self.account(serves: [503]) { agent, settings, _, requestor in
            let page = try await agent.signOut(requestor)
            return self.reporter.about(requestor).endSignOut(page, in: self.phrases(settings?.language))
        }
    }

    func showAccount() async throws -> ExitCode {
        try await self.account { _, _, account, requestor in
            let reporter = self.reporter.about(requestor)
            let reason = account["reason"]?.string.flatMap { BoxEvent.Reason(rawValue: $0) }
            guard let mvpd = account["mvpd"]?.string else {
                let isPairing = account["state"]?.string == BoxEvent.Standing.State.pairing.rawValue
                let why = reason?.clause.map { " (\($0))" } ?? ""
                return reporter.result(
                    .status(BoxEvent.Standing(state: isPairing ? .pairing : .signedOut, reason: reason)),
                    "The box is not signed in\(why). 'latchkey account sign-in' shows a code.", .notSignedIn)
            }
            let signIn = BoxEvent.SignIn(
                mvpd: mvpd, mvpdName: account["mvpdName"]?.string, expires: account["expires"]?.integer)
            let lifetime = signIn.lifetime.map { ", for another \($0)" } ?? ""
            return reporter.result(
                .status(BoxEvent.Standing(state: .signedIn, signIn: signIn)),
                "The box is signed in with \(signIn.displayName), for \(requestor)\(lifetime).")
        }
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
            _ = try await agent.send(.put, "/v1/permissions/\(PercentCoding.encoded(application.name))", body: body)
            return self.reporter.end(
                .permissionChanged(BoxEvent.AppPermission(application: application.name, permission: permission)),
                "\(application.name)  \(permission.rawValue)")
        }
    }
}
