import Clientless
import HTTPServer
import Observability

/// The OpenAPI description of the API, made from its endpoints.
package enum AgentDescription {
    /// The document, indented, with a line end.
    package static var text: String {
        var text = ""
        Self.write(Self.document(Self.endpoints), indent: "", to: &text)
        return text + "\n"
    }

    /// The endpoints of an agent without requestors: what they do does not matter here.
    static var endpoints: [AgentEndpoint] {
        AgentAPI.forDescription.endpoints
    }

    private static func document(_ endpoints: [AgentEndpoint]) -> JSONValue {
        var paths: [JSONValue.Member] = []
        for path in endpoints.map(\.path) where !paths.contains(where: { $0.name == path }) {
            let calls = endpoints.filter { $0.path == path }.map { endpoint in
                JSONValue.Member(endpoint.method.text.lowercased(), Self.operation(endpoint))
            }
            paths.append(.init(path, .object(calls)))
        }
        let schemas = Schema.all.map { JSONValue.Member($0.name, $0.schema) }
        return .object([
            .init("openapi", .string("3.1.0")),
            .init(
                "info",
                .object([
                    .init("title", .string("latchkey agent")), .init("version", .string("1")),
                    .init(
                        "description",
                        .string(
                            "The API of the box's agent on a Unix socket, by default /run/latchkey/agent.sock. A caller is "
                                + "known by what the kernel says of it, and needs a permission (latchkey permission).")),
                ])),
            .init("servers", .array([.object([.init("url", .string("http://localhost"))])])),
            .init("paths", .object(paths)),
            .init("components", .object([.init("schemas", .object(schemas))])),
        ])
    }

    private static func operation(_ endpoint: AgentEndpoint) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("operationId", .string(endpoint.name)), .init("summary", .string(endpoint.about)),
            .init("x-access", .string(endpoint.access.word)),
        ]
        if !endpoint.parameters.isEmpty {
            members.append(.init("parameters", .array(endpoint.parameters.map(Self.parameter))))
        }
        if let body = endpoint.body {
            members.append(.init("requestBody", .object([.init("content", Self.content(body))])))
        }
        var answers = endpoint.answers.map { answer in
            JSONValue.Member(String(answer.status), Self.answer(answer.about, answer.schema))
        }
        let failures = ([.badRequest] + endpoint.access.failures + endpoint.failures).map { AgentError($0, "") }
        for status in Set(failures.map(\.status.code)).sorted() {
            let codes = failures.filter { $0.status.code == status }.map(\.code.rawValue)
            answers.append(.init(String(status), Self.answer(codes.joined(separator: ", "), "Error")))
        }
        members.append(.init("responses", .object(answers)))
        return .object(members)
    }

    private static func parameter(_ parameter: AgentEndpoint.Parameter) -> JSONValue {
        .object([
            .init("name", .string(parameter.name)), .init("in", .string(parameter.place.rawValue)),
            .init("required", .boolean(parameter.isNeeded)), .init("description", .string(parameter.about)),
            .init("schema", parameter.schema),
        ])
    }

    private static func answer(_ about: String, _ schema: String?) -> JSONValue {
        var members: [JSONValue.Member] = [.init("description", .string(about))]
        if let schema { members.append(.init("content", Self.content(schema))) }
        return .object(members)
    }

    private static func content(_ schema: String) -> JSONValue {
        .object([.init("application/json", .object([.init("schema", Schema.reference(schema))]))])
    }

    /// Writes JSON as people and version control read it.
    private static func write(_ value: JSONValue, indent: String, to text: inout String) {
        switch value {
        case .object(let members) where !members.isEmpty:
            text += "{"
            for (index, member) in members.enumerated() {
                text += (index == 0 ? "\n" : ",\n") + indent + "  " + JSONValue.string(member.name).text + ": "
                Self.write(member.value, indent: indent + "  ", to: &text)
            }
            text += "\n\(indent)}"
        case .array(let values) where values.contains { $0.isCompound }:
            text += "["
            for (index, value) in values.enumerated() {
                text += (index == 0 ? "\n" : ",\n") + indent + "  "
                Self.write(value, indent: indent + "  ", to: &text)
            }
            text += "\n\(indent)]"
        case .object, .array, .string, .integer, .double, .boolean, .null: text += value.text
        }
    }
}

extension JSONValue {
    fileprivate var isCompound: Bool {
        switch self {
        case .object, .array: true
        case .string, .integer, .double, .boolean, .null: false
        }
    }
}

extension AgentEndpoint.Access {
    fileprivate var word: String {
        switch self {
        case .anyone: "anyone"
        case .permitted: "permitted"
        case .operators: "operators"
        }
    }

    fileprivate var failures: [AgentError.Code] {
        switch self {
        case .anyone, .operators: [.permissionDenied]
        case .permitted: [.permissionUndetermined, .permissionDenied]
        }
    }
}

extension AgentAPI {
    /// Knows its endpoints, and serves none.
    fileprivate static var forDescription: AgentAPI {
        AgentAPI(
            desks: [], account: nil, events: EventDesk(), permissions: PermissionDesk.empty,
            permissionWaits: WaitingRoom(AgentAPI.permissionWaitLimits),
            callers: Callers(), server: "", program: "", noteActivity: {})
    }
}
