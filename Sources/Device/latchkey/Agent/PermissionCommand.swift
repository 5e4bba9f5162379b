import Clientless
import CommandLineTool
import HTTPClient
import TextCoding

/// `latchkey permission`: asks the agent, and has it decide.
struct PermissionCommand {
    let arguments: ParsedArguments
    let agent: AgentConnection
    let reporter: Reporter

    func list() async throws(CommandFault) -> ExitCode {
        let answer = try await self.agent.send(.get, "/v1/permissions")
        guard case .permissions(let permissions)? = try? BoxEvent.News(named: "permissions", answer) else {
            throw .unexpected
        }
        let lines = permissions.map { "\($0.application)  \($0.permission)" }
        return self.reporter.result(
            .permissions(permissions),
            lines.isEmpty ? "No application has asked for a permission." : lines.joined(separator: "\n"))
    }

    func set(_ permission: Permission) async throws(CommandFault) -> ExitCode {
        guard let application = Application(self.arguments.operands[0]) else {
            return self.reporter.fail(
                BoxEvent.Failure(code: "usage", message: "APPLICATION must be unit:NAME, sandbox:ID or user:NAME."),
                .usage)
        }
        let body = JSONValue.object([.init("permission", .string(permission.rawValue))])
        _ = try await self.agent.send(
            .put, "/v1/permissions/\(PercentCoding.encoded(application.name))", body: body)
        self.reporter.event(
            .permissionChanged(
                BoxEvent.AppPermission(application: application.name, permission: permission)))
        self.reporter.say("\(application.name)  \(permission.rawValue)")
        return .success
    }
}
