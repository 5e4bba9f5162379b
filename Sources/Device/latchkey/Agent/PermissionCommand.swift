import BoxAgent
import BoxEvents
import Clientless
import CommandLineTool
import HTTPClient
import POSIX
import TextCoding

/// `latchkey permission`: asks the agent, and has it decide.
struct PermissionCommand {
    let arguments: ParsedArguments
    let environment: [String: String]
    let console: Console

    /// - Parameter verb: the subcommand.
    func run(_ verb: String) async -> ExitCode {
        let agent = AgentConnection(
            arguments: self.arguments, environment: self.environment, console: self.console, failureCode: "permission")
        let code: ExitCode
        switch verb {
        case "grant": code = await self.set(.granted, agent)
        case "deny": code = await self.set(.denied, agent)
        case "reset": code = await self.set(.undetermined, agent)
        default: code = await self.list(agent)
        }
        await agent.shutDown()
        return code
    }

    private func list(_ agent: AgentConnection) async -> ExitCode {
        let (answer, code) = await agent.send(.get, "/v1/permissions")
        guard let answer else { return code }
        let lines = (answer["permissions"]?.array ?? []).map { item in
            "\(item["application"]?.string ?? "")  \(item["permission"]?.string ?? "")"
        }
        let text = lines.isEmpty ? "No application has asked for a permission." : lines.joined(separator: "\n")
        return self.say(text)
    }

    private func set(_ permission: Permission, _ agent: AgentConnection) async -> ExitCode {
        let name = self.arguments.operands[0]
        guard let application = Application(name) else {
            self.console.say("latchkey: APPLICATION must be unit:NAME, sandbox:ID or user:NAME.")
            return .usage
        }
        let body = JSONValue.object([.init("permission", .string(permission.rawValue))])
        let path = "/v1/permissions/\(PercentCoding.encoded(application.name))"
        return await agent.send(.put, path, body: body).code
    }

    private func say(_ text: String) -> ExitCode {
        let now = Timestamp(milliseconds: WallClock.milliseconds())
        let line = self.arguments.has("json") ? BoxEvent(.text(text), at: now).line : text
        return (try? self.console.result(line)) == nil ? .stateProblem : .success
    }
}
