import CommandLineTool
import Cryptography
import FoundationEssentials
import POSIX

@main
enum Main {
    static func main() {
        Libcrypto.stayUntilEnd()
        QuietLoop.run { await Self.begin() }
    }

    private static func begin() async {
        let environment = ProcessInfo.processInfo.environment
        let words = Array(CommandLine.arguments.dropFirst())
        let talk = Terminal(on: .standardError, environment: environment)
        let width = Terminal(on: .standardOutput, environment: environment).size?.columns ?? 80
        let program = CommandLineProgram(
            LatchkeyCommands.root.command, version: CommandLineProgram.builtVersion, width: width,
            filePages: ["latchkey.json5": { FileSettings.manualPage }])
        // Looked for among the words as they are: a command line that cannot be read is told in events as well.
        let reporter = Reporter(
            console: Console(), terminal: talk, isJSON: words.prefix { $0 != "--" }.contains("--json"))
        ThisProcess.exit(await run(program, words, environment: environment, reporter).rawValue)
    }

    private static func run(
        _ program: CommandLineProgram, _ words: [String], environment: [String: String], _ reporter: Reporter
    ) async -> ExitCode {
        do {
            switch try program.read(words) {
            case .print(let text): return reporter.result(.text(text), text)
            case .run(let path, let arguments):
                guard let work = LatchkeyCommands.root.work(of: path[...]) else { return .internalError }
                return try await work(BoxCall(arguments: arguments, environment: environment, reporter: reporter))
            }
        } catch let error as UsageError {
            return reporter.fail(BoxEvent.Failure(code: "usage", message: error.description), .usage)
        } catch let faults as SettingsFaults {
            return reporter.fail(BoxEvent.Failure(code: "configuration", message: faults.description), .configuration)
        } catch let fault as CommandFault {
            return reporter.fail(fault)
        } catch {
            return reporter.fail(BoxEvent.Failure(code: "internal", message: "\(error)"), .internalError)
        }
    }
}
