import AccessEnabler
import CommandLineTool
import Observability
import POSIX

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
        do throws(CommandFault) {
            try await self.agent(settings, Logger(component: "latchkey-agent", format: isJournal ? .journald : .plain))
                .run()
            return .success
        } catch {
            self.console.say("latchkey: \(error.failure.message)")
            return error.exitCode
        }
    }

    private func agent(_ settings: Settings, _ logger: Logger) -> BoxAgent {
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
