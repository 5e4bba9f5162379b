import BoxAgent
import BoxEvents
import Clientless
import CommandLineTool
import FoundationEssentials
import HTTPClient
import POSIX

/// The way to the agent that runs on this box, for commands that ask it.
struct AgentConnection {
    let arguments: ParsedArguments
    let environment: [String: String]
    let console: Console
    /// What a failure is called in the events of the command.
    let failureCode: String
    private let client = HTTPClient()

    init(arguments: ParsedArguments, environment: [String: String], console: Console, failureCode: String) {
        self.arguments = arguments
        self.environment = environment
        self.console = console
        self.failureCode = failureCode
    }

    func shutDown() async { await self.client.shutDown() }

    /// - Parameters:
    ///   - wait: how long the agent holds the call.
    ///   - serves: other statuses that are answers rather than failures.
    /// - Returns: the answer of a call that was served, and the way to end otherwise.
    func send(
        _ method: HTTPClient.Method, _ path: String, body: JSONValue? = nil, wait: Duration = .zero,
        serves: Set<Int> = []
    ) async -> (answer: JSONValue?, code: ExitCode) {
        var request = HTTPClient.Request(method, "http://localhost\(path)", body: body.map { Array($0.text.utf8) })
        let socket = self.socket
        request.unixSocketPath = socket
        request.timeout = .seconds(10) + wait
        let response: HTTPClient.Response
        do throws(HTTPClientError) {
            response = try await self.client.send(request)
        } catch {
            return (nil, self.fail("The agent does not answer on \(socket). Does it run?", .unreachable))
        }
        let json = (try? JSONDecoder().decode(JSONValue.self, from: Data(response.body))) ?? .object([])
        switch response.status {
        case 200..<300: return (json, .success)
        case let status where serves.contains(status): return (json, .success)
        case 403: return (nil, self.fail(json["message"]?.string ?? "Not permitted.", .credentialsRefused))
        case 503: return (nil, self.fail(json["message"]?.string ?? "The server cannot be reached.", .unreachable))
        default: return (nil, self.fail(json["message"]?.string ?? "The agent cannot do that.", .failure))
        }
    }

    func fail(_ message: String, _ code: ExitCode) -> ExitCode {
        let now = Timestamp(milliseconds: WallClock.milliseconds())
        if self.arguments.has("json") {
            let failure = BoxEvent.Failure(code: self.failureCode, message: message, exitCode: code.rawValue)
            _ = try? self.console.result(BoxEvent(.error(failure), at: now).line)
        } else {
            self.console.say("latchkey: \(message)")
        }
        return code
    }

    /// Where the agent listens: as the option says, or the configuration, which a user may be unable to read.
    private var socket: String {
        if let path = self.arguments.value("socket") { return path }
        let settings = try? Settings(self.arguments, environment: self.environment, forAgent: true)
        return settings?.agent.socket ?? AgentSection.defaultSocket
    }
}
