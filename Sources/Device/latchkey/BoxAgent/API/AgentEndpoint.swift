import Clientless
import HTTPServer

/// One call of the API: route, access, fields, answers and handler in one value. Routes and description come from it.
struct AgentEndpoint: Sendable {
    enum Access: String, Sendable {
        /// Every program that can be told from another.
        case anyone
        /// Programs with a permission.
        case permitted
        /// Root and the agent's own user.
        case operators
    }

    struct Parameter: Sendable {
        enum Place: String, Sendable {
            case path, query
        }

        let name: String
        let place: Place
        let schema: JSONSchema
        let about: String
        var isNeeded = true
    }

    enum Handler: Sendable {
        case task(@Sendable (AgentCall) async throws(AgentError) -> AgentAnswer)
        /// Without a task of its own, as it may wait for long.
        case wait(@Sendable (AgentCall) throws(AgentError) -> HTTPReply)
    }

    let method: HTTPMethod
    let path: String
    /// Names it in counters and in the description.
    let name: String
    let about: String
    var access = Access.permitted
    var parameters: [Parameter] = []
    /// The schema of the body; `nil` for a call without one.
    var body: String?
    /// Status, sentence, and the schema of the body if there is one.
    var answers: [(status: Int, about: String, schema: String?)]
    /// The failures of its own, beside those of every call.
    var failures: [AgentError.Code] = []
    let handler: Handler
}

struct AgentAnswer: Sendable {
    var status = HTTPStatus.ok
    var json: JSONValue?

    static let noContent = AgentAnswer(status: .noContent, json: nil)
}

extension AgentAnswer {
    init(status: HTTPStatus = .ok, _ members: JSONValue.Member...) {
        self.init(status: status, json: .object(members))
    }

    /// The members of an event, which is what commands tell of the answer.
    init(_ news: BoxEvent.News) { self.init(json: .object(news.members)) }

    var response: HTTPResponse {
        guard let json = self.json else { return HTTPResponse(status: self.status) }
        return HTTPResponse(
            status: self.status, headers: ["Content-Type": "application/json", "Cache-Control": "no-store"],
            body: Array("\(json.text)\n".utf8))
    }
}

extension AgentError {
    var status: HTTPStatus {
        switch self.code {
        case .badRequest: .badRequest
        case .permissionUndetermined, .permissionDenied: .forbidden
        case .notFound, .unknownRequestor: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .notSignedIn, .alreadySignedIn, .noProvider, .conflict: .conflict
        case .tooLarge: .contentTooLarge
        case .notAuthorized: .unprocessableContent
        case .tooManyRequests: .tooManyRequests
        case .unreachable, .credentialsRefused, .storage: .serviceUnavailable
        case .internal: .internalServerError
        }
    }

    var response: HTTPResponse {
        let json = JSONValue.members([
            "error": .string(self.code.rawValue), "message": .string(self.message),
            "resource": self.resource.map { .string($0) }, "providerMessage": self.providerMessage.map { .string($0) },
        ])
        let response = AgentAnswer(status: self.status, json: json).response
        guard let seconds = self.retryAfter else { return response }
        return response.setting("Retry-After", String(seconds))
    }
}
