import BoxAgent
import BoxEvents
import Clientless
import CommandLineTool
import FoundationEssentials
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
        let client = HTTPClient()
        let code: ExitCode
        switch verb {
        case "grant": code = await self.set(.granted, client)
        case "deny": code = await self.set(.denied, client)
        case "reset": code = await self.set(.undetermined, client)
        default: code = await self.list(client)
        }
        await client.shutDown()
        return code
    }

    private func list(_ client: HTTPClient) async -> ExitCode {
        let (answer, code) = await self.send(.get, "/v1/permissions", body: nil, client)
        guard let answer else { return code }
        let lines = (answer["permissions"]?.array ?? []).map { item in
            "\(item["application"]?.string ?? "")  \(item["permission"]?.string ?? "")"
        }
        let text = lines.isEmpty ? "No application has asked for a permission." : lines.joined(separator: "\n")
        return self.say(text)
    }

    private func set(_ permission: Permission, _ client: HTTPClient) async -> ExitCode {
        let name = self.arguments.operands[0]
        guard let application = Application(name) else {
            self.console.say("latchkey: APPLICATION must be unit:NAME, sandbox:ID or user:NAME.")
            return .usage
        }
        let body = JSONValue.object([.init("permission", .string(permission.rawValue))])
        let path = "/v1/permissions/\(PercentCoding.encoded(application.name))"
        return await self.send(.put, path, body: body, client).code
    }

    private func say(_ text: String) -> ExitCode {
        let now = Timestamp(milliseconds: WallClock.milliseconds())
        let line = self.arguments.has("json") ? BoxEvent(.text(text), at: now).line : text
        return (try? self.console.result(line)) == nil ? .stateProblem : .success
    }

    /// - Returns: the answer of a call that was served, and the way to end otherwise.
    private func send(
        _ method: HTTPClient.Method, _ path: String, body: JSONValue?, _ client: HTTPClient
    ) async -> (answer: JSONValue?, code: ExitCode) {
        var request = HTTPClient.Request(method, "http://localhost\(path)", body: body.map { Array($0.text.utf8) })
        let socket = self.socket
        request.unixSocketPath = socket
        request.timeout = .seconds(10)
        let response: HTTPClient.Response
        do throws(HTTPClientError) {
            response = try await client.send(request)
        } catch {
            return self.fail("The agent does not answer on \(socket). Does it run?", .unreachable)
        }
        let json = (try? JSONDecoder().decode(JSONValue.self, from: Data(response.body))) ?? .object([])
        switch response.status {
        case 200..<300: return (json, .success)
        case 403: return self.fail(json["message"]?.string ?? "Not permitted.", .credentialsRefused)
        default: return self.fail(json["message"]?.string ?? "The agent cannot do that.", .failure)
        }
    }

    private func fail(_ message: String, _ code: ExitCode) -> (JSONValue?, ExitCode) {
        let now = Timestamp(milliseconds: WallClock.milliseconds())
        if self.arguments.has("json") {
            let failure = BoxEvent.Failure(code: "permission", message: message, exitCode: code.rawValue)
            _ = try? self.console.result(BoxEvent(.error(failure), at: now).line)
        } else {
            self.console.say("latchkey: \(message)")
        }
        return (nil, code)
    }

    /// Where the agent listens: as the option says, or the configuration, which a user may be unable to read.
    private var socket: String {
        if let path = self.arguments.value("socket") { return path }
        let settings = try? Settings(self.arguments, environment: self.environment, forAgent: true)
        return settings?.agent.socket ?? AgentSection.defaultSocket
    }
}
