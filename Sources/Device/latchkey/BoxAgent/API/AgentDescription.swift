import Clientless
import HTTPServer

/// The OpenAPI description of the API, made from its endpoints.
enum AgentDescription {
    static var text: String { Self.document(Self.endpoints).lines + "\n" }

    /// The endpoints of an agent without requestors: what they do does not matter here.
    static var endpoints: [AgentEndpoint] {
        AgentAPI(
            desks: [], account: nil, events: EventDesk(), permissions: PermissionDesk.empty,
            permissionWaits: AgentAPI.heldPermissions(), callers: Callers(), server: "", noteActivity: {}
        ).endpoints
    }

    private static func document(_ endpoints: [AgentEndpoint]) -> JSONValue {
        var paths: [JSONValue.Member] = []
        for path in endpoints.map(\.path) where !paths.contains(where: { $0.name == path }) {
            let calls = endpoints.filter { $0.path == path }.map { endpoint in
                JSONValue.Member(endpoint.method.text.lowercased(), Self.operation(endpoint))
            }
            paths.append(.init(path, .object(calls)))
        }
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "latchkey agent", "version": "1",
                "description":
                    """
                The API of the box's agent on a Unix socket, by default /run/latchkey/agent.sock. A caller is known by \
                what the kernel says of it, and needs a permission (latchkey permission).
                """,
            ],
            "servers": [["url": "http://localhost"]], "paths": .object(paths),
            "components": ["schemas": .object(Schema.all.map { .init($0.key, $0.value.json) })],
        ]
    }

    private static func operation(_ endpoint: AgentEndpoint) -> JSONValue {
        var answers = endpoint.answers.map { answer in
            JSONValue.Member(String(answer.status), Self.answer(answer.about, answer.schema))
        }
        // A call that needs the server needs one that takes the box's credentials.
        let ofServer: [AgentError.Code] = endpoint.failures.contains(.unreachable) ? [.credentialsRefused] : []
        // A state file that cannot be read.
        let ofDesk: [AgentError.Code] = endpoint.failures.contains(.unknownRequestor) ? [.internal] : []
        let failures = ([.badRequest] + endpoint.access.failures + endpoint.failures + ofServer + ofDesk).map {
            AgentError($0, "")
        }
        for status in Set(failures.map(\.status.code)).sorted() {
            let codes = failures.filter { $0.status.code == status }.map(\.code.rawValue)
            answers.append(.init(String(status), Self.answer(codes.joined(separator: ", "), "Error")))
        }
        let parameters = endpoint.parameters.map(Self.parameter)
        return .members([
            "operationId": .string(endpoint.name), "summary": .string(endpoint.about),
            "x-access": .string(endpoint.access.rawValue), "parameters": parameters.isEmpty ? nil : .array(parameters),
            "requestBody": endpoint.body.map { ["content": Self.content($0)] }, "responses": .object(answers),
        ])
    }

    private static func parameter(_ parameter: AgentEndpoint.Parameter) -> JSONValue {
        [
            "name": .string(parameter.name), "in": .string(parameter.place.rawValue),
            "required": .boolean(parameter.isNeeded), "description": .string(parameter.about),
            "schema": parameter.schema.json,
        ]
    }

    private static func answer(_ about: String, _ schema: String?) -> JSONValue {
        .members(["description": .string(about), "content": schema.map(Self.content)])
    }

    private static func content(_ schema: String) -> JSONValue {
        ["application/json": ["schema": JSONSchema.named(schema).json]]
    }
}

extension AgentEndpoint.Access {
    fileprivate var failures: [AgentError.Code] {
        switch self {
        case .anyone, .operators: [.permissionDenied]
        case .permitted: [.permissionUndetermined, .permissionDenied]
        }
    }
}
