import AccessEnabler
import CommandLineTool
import Observability
import POSIX
import TerminalQR

/// `latchkey agent`.
struct AgentCommand {
    let arguments: ParsedArguments
    let environment: [String: String]
    let console: Console

    func run() async -> ExitCode {
        if self.arguments.has("openapi") {
            return (try? self.console.result(AgentDescription.text)) == nil ? .stateProblem : .success
        }
        let settings: Settings
        do throws(SettingsFaults) {
            settings = try Settings(self.arguments, environment: self.environment, forAgent: true)
        } catch {
            self.console.say("latchkey: \(error.description)")
            return .configuration
        }
        ThisProcess.keepMemoryPrivate()
        ThisProcess.raiseOpenFileLimit()
        let isJournal = self.environment["JOURNAL_STREAM"] != nil
        let logger = Logger(component: "latchkey-agent", format: isJournal ? .journald : .plain)
        do throws(AgentFailure) {
            try await BoxAgent(settings: self.agentSettings(settings), logger: logger).run()
            return .success
        } catch {
            return self.tell(error, settings)
        }
    }

    private func agentSettings(_ settings: Settings) -> AgentSettings {
        var requestors = settings.agent.requestors.map { requestor in
            self.requestor(requestor.id, requestor.credentials, settings)
        }
        if !requestors.contains(where: { $0.requestor == settings.requestor }) {
            requestors.insert(self.requestor(settings.requestor, settings.credentials, settings), at: 0)
        }
        var agent = AgentSettings(
            requestors: requestors, serverName: settings.serverName, programVersion: HostDescription.programVersion,
            socketPath: self.socket(settings), stateFolder: Folder.containing(settings.stateFile))
        agent.account = settings.agent.account
        if let mode = settings.agent.mode { agent.socketMode = mode }
        agent.socketGroup = settings.agent.group
        agent.picture = { QRPicture.dataURL(of: $0) }
        if let socket = self.environment["NOTIFY_SOCKET"] {
            // Without an answer systemd ends the start by itself, and says so.
            agent.whenReady = { try? ServiceManager.tell("READY=1", at: socket) }
        }
        return agent
    }

    private func socket(_ settings: Settings) -> String { self.arguments.value("socket") ?? settings.agent.socket }

    private func requestor(
        _ id: String, _ credentials: AccessEnabler.Credentials, _ settings: Settings
    ) -> AgentSettings.Requestor {
        var configuration = settings.configuration
        let stateFile = settings.stateFile(of: id)
        configuration.tokenStore = AccessEnabler.PrivateFileStore(path: stateFile)
        // The agent gives memory back for all of them at once.
        configuration.givesBackMemoryWhilePolling = false
        return AgentSettings.Requestor(
            requestor: id, credentials: credentials, configuration: configuration, stateFile: stateFile)
    }

    private func tell(_ failure: AgentFailure, _ settings: Settings) -> ExitCode {
        switch failure {
        case .anotherRuns:
            self.console.say(
                "latchkey: Another agent runs already, with the state in \(Folder.containing(settings.stateFile)) or on "
                    + "\(self.socket(settings)).")
            return .alreadyRunning
        case .state(let what):
            self.console.say("latchkey: \(what).")
            return .stateProblem
        case .socket(let what):
            self.console.say("latchkey: \(what).")
            return .addressUnavailable
        case .other(let what):
            self.console.say("latchkey: The agent ended: \(what).")
            return .internalError
        }
    }
}
