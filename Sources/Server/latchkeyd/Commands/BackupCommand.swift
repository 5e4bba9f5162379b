package import CommandLineTool
import Entitlement
import FoundationEssentials
import StoreSQLite

/// `latchkeyd backup`
package enum BackupCommand: ServerCommand {
    package static let command = Command(
        "backup", "Copy the store while the server runs",
        discussion: [
            "The copy is complete as of one moment, and appears under its name only then. The key folder is not in it; "
                + "without the master secret a copy is of little use, so keep both, apart from each other."
        ],
        options: [ConfigurationFile.option],
        operands: [CommandOperand("FILE", "Where the copy goes; must not exist")],
        examples: [CommandExample("latchkeyd backup /var/backups/latchkeyd.sqlite", "from a timer")],
        exitCodes: [.success, .usage, .stateProblem, .configuration])

    package static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
        let configuration = try ConfigurationFile.locate(arguments, context).read()
        let copy = arguments.operands[0]
        guard !FileManager.default.fileExists(atPath: copy) else {
            throw OperatorError(
                "\(copy) exists already.", advice: "A backup never overwrites; give another name.",
                exitCode: .stateProblem)
        }
        try await StoreAccess.withStore(of: configuration) { store in
            do throws(StoreError) {
                try await store.backup(to: copy)
            } catch {
                throw OperatorError("The copy \(copy) cannot be made (\(error.detail)).", exitCode: .stateProblem)
            }
        }
        context.console.say("\(copy) is complete.")
        return .success
    }
}
