import CommandLineTool
import FoundationEssentials
import POSIX

/// The box program.
@main
enum Main {
    static func main() async {
        let environment = ProcessInfo.processInfo.environment
        let talk = Terminal(on: .standardError, environment: environment)
        let console = Console()
        let width = Terminal(on: .standardOutput, environment: environment).size?.columns ?? 80
        let program = CommandLineProgram(.latchkey, version: BoxFacts.programVersion, width: width)
        ThisProcess.exit(await run(program, environment: environment, talk: talk, console: console).rawValue)
    }

    private static func run(
        _ program: CommandLineProgram, environment: [String: String], talk: Terminal, console: Console
    ) async -> ExitCode {
        do throws(UsageError) {
            switch try program.read(Array(CommandLine.arguments.dropFirst())) {
            case .print(let text):
                return (try? console.result(text)) == nil ? .stateProblem : .success
            case .run(let path, let arguments):
                return try await run(path, arguments, environment: environment, talk: talk, console: console)
            }
        } catch {
            console.say("latchkey: \(error.description)")
            return .usage
        }
    }

    private static func run(
        _ path: [String], _ arguments: ParsedArguments, environment: [String: String], talk: Terminal, console: Console
    ) async throws(UsageError) -> ExitCode {
        let pairing = path.first == "pair" ? try PairingOptions(arguments) : PairingOptions()
        let reporter = Reporter(console: console, terminal: talk, isJSON: arguments.has("json"))
        let settings: Settings
        do throws(ConfigurationFaults) {
            settings = try Settings(arguments, environment: environment)
        } catch {
            reporter.fail(code: "configuration", error.description, exitCode: .configuration)
            return .configuration
        }
        let box = Box(settings: settings, reporter: reporter)
        let code: ExitCode
        switch path.first {
        case "pair": code = await box.pair(again: arguments.has("again"), pairing)
        case "status": code = await box.status()
        case "authorize": code = await box.authorize(arguments.operands[0])
        default: code = await box.logOut()
        }
        await box.shutDown()
        return code
    }
}
