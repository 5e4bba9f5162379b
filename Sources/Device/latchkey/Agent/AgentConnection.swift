import Clientless
import CommandLineTool
import HTTPClient

/// The way to the agent that runs on this box, for commands that ask it.
struct AgentConnection {
    /// Longer than the agent takes for any call that it does not hold: a sign-out waits for the server.
    private static let patience: Duration = .seconds(60)

    let socket: String
    private let client = HTTPClient()

    func shutDown() async { await self.client.shutDown() }

    /// - Parameters:
    ///   - wait: how long the agent holds the call.
    ///   - serves: other statuses that are answers rather than failures.
    func send(
        _ method: HTTPClient.Method, _ path: String, body: JSONValue? = nil, wait: Duration = .zero,
        serves: Set<Int> = []
    ) async throws(CommandFault) -> JSONValue {
        var request = HTTPClient.Request(method, "http://localhost\(path)", body: body.map { Array($0.text.utf8) })
        request.unixSocketPath = self.socket
        request.timeout = Self.patience + wait
        guard let response = try? await self.client.send(request) else {
            var fault = CommandFault(
                "unreachable", "The agent does not answer on \(self.socket). Does it run?", .unreachable)
            fault.isSilent = true
            throw fault
        }
        let json = JSONValue(reading: response.body) ?? .object([])
        guard (200..<300).contains(response.status) || serves.contains(response.status) else {
            throw CommandFault(response.status, json)
        }
        return json
    }

    /// Signs a requestor out.
    /// - Returns: the provider's page that ends its session, where a browser has to open one.
    func signOut(_ requestor: String) async throws(CommandFault) -> String? {
        // The event alone names it.
        let next = try await self.send(.get, "/v1/events")["next"]?.integer ?? 0
        _ = try await self.send(.delete, "/v1/requestors/\(requestor)/sign-in")
        let events = (try? await self.send(.get, "/v1/events?after=\(next)"))?["events"]?.array ?? []
        let end = events.last { $0["event"]?.string == "signed_out" && $0["requestor"]?.string == requestor }
        return end?["logoutUrl"]?.string
    }
}

/// Why a command could not do its work, such as what the agent did not serve.
struct CommandFault: Error {
    let failure: BoxEvent.Failure
    let exitCode: ExitCode
    /// Whether no agent answered.
    var isSilent = false

    static let unexpected = CommandFault("agent", "The agent does not answer as expected.", .unreachable)

    /// - Parameter exitCode: `nil` for the one that belongs to the code.
    init(_ code: String, _ message: String, _ exitCode: ExitCode? = nil) {
        self.failure = BoxEvent.Failure(code: code, message: terminalSafe(message, limit: 1024))
        self.exitCode = exitCode ?? Self.exitCode(of: code)
    }

    /// As the agent says it (`deploy/contracts/agent.md`).
    init(_ status: Int, _ json: JSONValue) {
        let code = json["error"]?.string ?? (status == 503 ? "unreachable" : "agent")
        self.exitCode = Self.exitCode(of: code)
        let words = json["providerMessage"]?.string
        self.failure = BoxEvent.Failure(
            code: code,
            message: terminalSafe(words ?? json["message"]?.string ?? "The agent cannot do that.", limit: 1024),
            resource: json["resource"]?.string, providerMessage: words)
    }

    private static func exitCode(of code: String) -> ExitCode {
        switch code {
        case "not_signed_in": .notSignedIn
        case "not_authorized": .notAuthorized
        case "credentials_refused", "permission_undetermined", "permission_denied": .credentialsRefused
        case "unreachable": .unreachable
        case "storage", "internal": .stateProblem
        default: .failure
        }
    }
}
