package import CommandLineTool
import Clientless
import Entitlement

private let deviceOperand = CommandOperand(
    "DEVICE-ID", "What the box calls itself; - reads it from standard input, where nobody else sees it")

/// `latchkeyd devices list`
package enum DeviceListCommand: ServerCommand {
    package static let command = Command(
        "list", "Show the sign-ins and permissions that are kept of a box",
        options: [ConfigurationFile.option, CommonOptions.json], operands: [deviceOperand],
        examples: [CommandExample("latchkey status --json | jq -r .deviceID | latchkeyd devices list -", "this box")],
        exitCodes: [.success, .usage, .keysUnusable, .stateProblem, .configuration])

    package static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
        let device = try CommonOptions.device(arguments.operands[0], arguments)
        let (signIns, permissions) = try await StoreAccess.withAdministration(arguments, context) { administration, _ in
            (
                try await administration.operations.records(of: device),
                try await administration.operations.decisions(of: device)
            )
        }
        if arguments.has("json") {
            try context.console.result(JSONLine.text(of: DeviceOutput(signIns, permissions)))
            return .success
        }
        let now = context.now()
        let rows =
            signIns.map {
                [
                    "sign-in", $0.id.text, $0.requestor.text, $0.mvpd.text, $0.origin.rawValue,
                    UseText.write($0.expires, now: now),
                ]
            }
            + permissions.map {
                [
                    "permission", terminalSafe($0.resource.text, limit: 40), $0.requestor.text, $0.mvpd.text,
                    $0.origin.rawValue, UseText.write($0.expires, now: now),
                ]
            }
        try context.console.result(
            TextTable(heading: ["KIND", "NAME", "REQUESTOR", "PROVIDER", "FROM", "STATE"], rows: rows).text)
        return .success
    }
}

/// `latchkeyd devices delete`
package enum DeviceDeleteCommand: ServerCommand {
    package static let command = Command(
        "delete", "Sign a box out, and forget its permissions",
        discussion: ["Without --sign-in, all of its sign-ins end. A running server says so to the box at once."],
        options: [
            ConfigurationFile.option,
            .value("sign-in", "ID", "Only this sign-in, as 'latchkeyd devices list' names it"), CommonOptions.json,
        ],
        operands: [deviceOperand],
        examples: [CommandExample("latchkeyd devices delete - < lost-box", "a box that was lost")],
        exitCodes: [.success, .failure, .usage, .keysUnusable, .stateProblem, .configuration])

    private struct Output: Encodable {
        let deleted: Int
    }

    package static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
        let device = try CommonOptions.device(arguments.operands[0], arguments)
        let count = try await StoreAccess.withAdministration(arguments, context) { administration, _ in
            guard let id = arguments.value("sign-in") else {
                return try await administration.operations.deleteRecords(
                    of: device, actor: CommandActor.text, now: context.now()
                ).count
            }
            guard
                let record = try await administration.operations.records(of: device).first(where: { $0.id.text == id })
            else {
                throw OperatorError(
                    "The box has no such sign-in.", advice: "'latchkeyd devices list' shows those it has.",
                    exitCode: .failure)
            }
            _ = try await administration.operations.deleteRecord(
                record.id, actor: CommandActor.text, now: context.now())
            return 1
        }
        if arguments.has("json") { try context.console.result(JSONLine.text(of: Output(deleted: count))) }
        context.console.say(count == 1 ? "1 sign-in is deleted." : "\(count) sign-ins are deleted.")
        return .success
    }
}
