import BoxEvents
import BoxWords
import CommandLineTool
import FoundationEssentials
import POSIX

/// The box program.
@main
enum Main {
    static func main() {
        QuietLoop.run { await Self.begin() }
    }

    private static func begin() async {
        let environment = ProcessInfo.processInfo.environment
        let words = Array(CommandLine.arguments.dropFirst())
        let talk = Terminal(on: .standardError, environment: environment)
        let width = Terminal(on: .standardOutput, environment: environment).size?.columns ?? 80
        let program = CommandLineProgram(
            .latchkey, version: CommandLineProgram.builtVersion, width: width,
            filePages: ["latchkey.json5": { FileSettings.manualPage }])
        // Looked for among the words as they are: a command line that cannot be read is told in events as well.
        let reporter = Reporter(
            console: Console(), terminal: talk, isJSON: words.prefix { $0 != "--" }.contains("--json"))
        ThisProcess.exit(await run(program, words, environment: environment, reporter).rawValue)
    }

    private static func run(
        _ program: CommandLineProgram, _ words: [String], environment: [String: String], _ reporter: Reporter
    ) async -> ExitCode {
        do throws(UsageError) {
            switch try program.read(words) {
            case .print(let text): return reporter.result(.text(text), text)
            case .run(let path, let arguments):
                return try await run(path, arguments, environment: environment, reporter)
            }
        } catch {
            return reporter.fail(BoxEvent.Failure(code: "usage", message: error.description), .usage)
        }
    }

    private static func run(
        _ path: [String], _ arguments: ParsedArguments, environment: [String: String], _ reporter: Reporter
    ) async throws(UsageError) -> ExitCode {
        switch path.first {
        case "init": return await BoxSetUp(arguments: arguments, reporter: reporter).run()
        case "doctor": return await Doctor(arguments: arguments, environment: environment, reporter: reporter).run()
        case "agent":
            return await AgentCommand(
                arguments: arguments, environment: environment, console: reporter.console
            ).run()
        case "permission", "account":
            guard let verb = path.last else { break }
            let wishes = verb == "sign-in" ? try PairWishes(arguments) : nil
            let settings = try? Settings(arguments, environment: environment, forAgent: true)
            let agent = AgentConnection(
                socket: arguments.value("socket") ?? settings?.agent.socket ?? AgentSection.defaultSocket)
            let code: ExitCode
            do throws(AgentConnection.Refusal) {
                code =
                    path.first == "account"
                    ? try await AccountCommand(
                        agent: agent, reporter: reporter, wishes: wishes,
                        phrases: self.phrases(wishes?.language ?? settings?.language, environment, reporter)
                    ).run(verb)
                    : try await PermissionCommand(arguments: arguments, agent: agent, reporter: reporter).run(verb)
            } catch {
                code = reporter.fail(error.failure, error.exitCode)
            }
            await agent.shutDown()
            return code
        default: break
        }
        let wishes = path.first == "pair" ? try PairWishes(arguments) : nil
        let language = path.first == "logout" ? try ViewerLanguage.chosen(by: arguments) : wishes?.language
        let read = Result<Settings, SettingsFaults> { () throws(SettingsFaults) in
            try Settings(arguments, environment: environment)
        }
        if let code = await self.askAgent(path, arguments, try? read.get(), environment, language, wishes, reporter) {
            return code
        }
        let settings: Settings
        switch read {
        case .success(let right): settings = right
        case .failure(let faults):
            return reporter.fail(
                BoxEvent.Failure(code: "configuration", message: faults.description), .configuration)
        }
        let box = Box(
            settings: settings, reporter: reporter.about(settings.requestor),
            phrases: ["pair", "logout"].contains(path.first)
                ? self.phrases(language ?? settings.language, environment, reporter) : .english)
        let code: ExitCode
        switch path.first {
        case "status": code = await box.status(isOffline: arguments.has("offline"))
        case "providers": code = await box.providers()
        case "authorize": code = await box.authorize(arguments.operands[0])
        case "preauthorize": code = await box.preauthorize(arguments.operands)
        case "metadata": code = await box.metadata(arguments.operands[0])
        case "logout": code = await box.logOut()
        case "boxes" where path.last == "sign-out":
            code = await box.signOutBox(arguments.operands[0], isConfirmed: arguments.has("yes"))
        case "boxes": code = await box.boxes()
        default: code = if let wishes { await box.pair(wishes) } else { .internalError }
        }
        await box.shutDown()
        return code
    }

    /// Has the agent do it where one runs.
    /// - Returns: `nil` if none does, or the command is not for it.
    private static func askAgent(
        _ path: [String], _ arguments: ParsedArguments, _ settings: Settings?, _ environment: [String: String],
        _ language: String?, _ wishes: PairWishes?, _ reporter: Reporter
    ) async -> ExitCode? {
        // The agent has no code for a viewer who is signed in, and no memory of its own to show.
        guard wishes?.again != true, path.first != "status" || !arguments.has("offline") else { return nil }
        do throws(AgentConnection.Refusal) {
            guard let box = try await AgentBox(arguments, settings, reporter) else { return nil }
            let code = try await box.run(
                path, arguments, wishes, self.phrases(language ?? settings?.language, environment, reporter))
            await box.agent.shutDown()
            return code
        } catch {
            return reporter.fail(error.failure, error.exitCode)
        }
    }

    /// The language of the viewer before the screen. Events are English, and so is what they quote.
    private static func phrases(
        _ chosen: String?, _ environment: [String: String], _ reporter: Reporter
    ) -> BoxPhrases {
        guard !reporter.isJSON else { return .english }
        let console = reporter.terminal.isTerminal ? LinuxConsole(.standardError) : nil
        return ViewerLanguage(
            chosen: chosen, environment: environment, terminal: reporter.terminal, console: console
        ).phrases
    }
}
