import Clientless
import HTTPServer

/// The description of the programmable faces in OpenAPI 3.1: the clientless REST API, client registration, the SDK
/// services and management. The pages of the second screen and the operator's endpoints are not in it.
///
/// It is made of the same declarations as the routes; `deploy/test schema` calls every operation and compares the answers
/// with the schemas. It also calls each example of `examples.http` and compares the answer; `deploy/check/schema/run --accept`
/// records them anew. Every other example is made of the declarations.
package enum APIDescription {
    static let endpoints: [EndpointFacts] =
        (ClientRegistration.all.map(\.facts) + OAuth.all.map(\.facts) + RESTv1.all.map(\.facts)
        + Callbacks.all.map(\.facts) + SDKServices.all.map(\.facts) + [SecondScreen.shortAddress.facts]
        + Management.all.map(\.facts) + ServiceEndpoints.all.map(\.facts)).filter { $0.tag != nil }

    /// The beginning of all their paths.
    static let firstSegments = Set(
        endpoints.flatMap(\.calls).compactMap { $0.path.split(separator: "/").first.map(String.init) })

    /// The description as JSON, laid out in lines, always in the same order.
    /// - Parameters:
    ///   - server: scheme, host and port of the server it is for; `nil` leaves the address open.
    ///   - version: the program's.
    package static func text(server: String? = nil, version: String) -> String {
        let tags = APITag.allCases.map { tag -> JSONValue in
            ["name": .string(tag.rawValue), "description": .string(tag.text)]
        }
        let document: JSONValue = [
            "openapi": "3.1.0",
            "info": [
                "title": "Latchkey", "summary": "Pairs boxes with TV providers over a second screen.",
                "description": .string(self.introduction), "version": .string(version),
            ],
            "servers": [["url": .string(server ?? "/")]], "tags": .array(tags), "paths": self.paths,
            "components": self.components,
        ]
        return document.lines
    }

    private static let introduction = """
        Every path is also reached with repeated slashes, with one slash at its end, and with `.json` or `.xml` behind \
        its last segment. The suffix says which form the answer takes; after it count the parameter `format`, the \
        header `Accept`, and then XML. Unknown parameters are ignored.

        A POST may carry its fields in the query, too; of a name in both, the body's value counts. A flat JSON object \
        is read like a form. HEAD is answered as GET is, OPTIONS on every path with the cross-origin headers, any \
        other method with 405 and `Allow`.

        Times are milliseconds since 1970 where nothing else is said. The ends of tokens are texts of digits, every \
        other number is a number.
        """
}

// How endpoints become the paths and components of the document.
extension APIDescription {
    static var paths: JSONValue {
        var order: [String] = []
        var items: [String: [JSONValue.Member]] = [:]
        for endpoint in self.endpoints {
            for call in endpoint.calls {
                if items[call.path] == nil { order.append(call.path) }
                items[call.path, default: []].append(
                    .init(call.method.text.lowercased(), self.operation(call, of: endpoint)))
            }
        }
        return .object(order.map { path in .init(path, .object(items[path] ?? [])) })
    }

    static var components: JSONValue {
        [
            "schemas": .object(self.schemas.map { .init($0.key, $0.value.json) }),
            "responses": .object(
                APIAnswer.components.compactMap { answer in answer.component.map { .init($0, answer.json) } }),
            "parameters": .object(
                APIField.components.map { .init($0.field.name, $0.field.parameter(in: $0.place)) }),
            "headers": .object(
                APIAnswer.Header.components.compactMap { header in header.component.map { .init($0, header.json) } }),
            "securitySchemes": self.securitySchemes,
        ]
    }

    private static func operation(_ call: EndpointFacts.Call, of endpoint: EndpointFacts) -> JSONValue {
        let isPost = call.method == .post
        let inQuery = isPost ? [] : endpoint.fields.map { $0.reference(in: .query) }
        let parameters =
            self.pathFields(of: call.path).map { $0.reference(in: .path) } + inQuery
            + endpoint.headers.map { $0.reference(in: .header) }
        let text = endpoint.text.isEmpty ? "" : endpoint.text + "\n\n"
        var members: [JSONValue.Member] = [
            .init("operationId", .string(call.id)),
            .init("tags", .array(endpoint.tag.map { [.string($0.rawValue)] } ?? [])),
            .init("summary", .string(endpoint.summary)),
            .init("description", .string(text + self.source(of: endpoint) + self.example(of: call, endpoint))),
            .init("security", .array(self.security(of: endpoint.access))),
        ]
        if !parameters.isEmpty { members.append(.init("parameters", .array(parameters))) }
        if isPost, !endpoint.fields.isEmpty || endpoint.body == .xml {
            members.append(.init("requestBody", self.body(of: endpoint)))
        }
        let answers = endpoint.answers(to: call).map { JSONValue.Member(String($0.status), $0.reference) }
        return .object(members + [.init("responses", .object(answers))])
    }

    /// The section that describes a call, with a link to its document in the sources.
    private static func source(of endpoint: EndpointFacts) -> String {
        let document = endpoint.section.prefix { $0 != " " }
        guard ["rest-v1", "sdk-services", "access-enabler"].contains(document)
        else { return "An extension of this server." }
        return "Protocol: [\(endpoint.section)](deploy/protocol/\(document).md)."
    }

    /// A real call and its answer by the operation's ID, as `deploy/check/schema/run` records them.
    private static let examples = Dictionary(
        uniqueKeysWithValues: String(decoding: PackageResources.examples_http, as: UTF8.self)
            .split(separator: "### ").map { entry in
                let name = entry.prefix { $0 != "\n" }
                return (String(name), String(entry.dropFirst(name.count).drop { $0.isNewline }))
            })

    /// The example of a call. Calls that differ in their path alone share the first one's.
    private static func example(of call: EndpointFacts.Call, _ endpoint: EndpointFacts) -> String {
        let shared = self.endpoints.filter { $0.tag == endpoint.tag && $0.summary == endpoint.summary }
            .flatMap(\.calls).first { $0.method == call.method }
        return "\n\n```http\n\(self.examples[shared?.id ?? call.id] ?? self.madeExample(of: call, endpoint))```"
    }

    /// One with the fields that the call must have, and an answer by its schema.
    private static func madeExample(of call: EndpointFacts.Call, _ endpoint: EndpointFacts) -> String {
        func value(_ field: APIField) -> String { field.schema.json.sample(field.name).scalarText ?? "" }
        let path = self.pathFields(of: call.path).reduce(call.path) { $0.replacing("{\($1.name)}", with: value($1)) }
        let form = endpoint.fields.filter(\.isRequired).map { "\($0.name)=\(value($0))" }.joined(separator: "&")
        let isPost = call.method == .post
        var text = "\(call.method.text) \(path)\(isPost || form.isEmpty ? "" : "?\(form)")\nAccept: application/json\n"
        if !self.security(of: endpoint.access).isEmpty { text += "Authorization: Bearer eyJhbGciOi…\n" }
        if isPost { text += "Content-Type: application/x-www-form-urlencoded\n\n\(form)\n" }
        guard let answer = endpoint.answers.first else { return text }
        text += "\nHTTP/1.1 \(answer.status)\n"
        guard let content = answer.content.first else { return text }
        return text + "Content-Type: \(content.type);charset=utf-8\n\n\(content.schema.json.sample().lines)\n"
    }

    private static func pathFields(of path: String) -> [APIField] {
        path.split(separator: "/").filter { $0.hasPrefix("{") }.map { segment in
            APIField.inPath(String(segment.dropFirst().dropLast()))
        }
    }

    private static func body(of endpoint: EndpointFacts) -> JSONValue {
        // Clients send more than is read; what is more is ignored.
        let schema = endpoint.body == .xml ? .text() : JSONSchema.members(endpoint.fields.map(\.property))
        let types =
            switch endpoint.body {
            case .form: ["application/x-www-form-urlencoded"]
            case .json: ["application/json"]
            case .xml: ["text/xml"]
            case .formOrJSON: ["application/json", "application/x-www-form-urlencoded"]
            }
        let isRequired = endpoint.body == .xml || endpoint.fields.contains { $0.isRequired }
        return [
            "required": .boolean(isRequired), "content": .object(types.map { .init($0, ["schema": schema.json]) }),
        ]
    }

    private static func security(of access: EndpointFacts.Access) -> [JSONValue] {
        switch access {
        case .everybody: []
        case .device: [["bearer": ["api:client:v1"]], ["accessToken": []], ["signedRequest": []]]
        // Their token stands in the header alone.
        case .bearer(let scopes): [["bearer": .array(scopes.prefix(1).map { .string($0.rawValue) })]]
        }
    }

    private static let securitySchemes: JSONValue = [
        "bearer": [
            "type": "http", "scheme": "bearer", "bearerFormat": "JWT",
            "description": "A token of `/o/client/token` (rest-v1 7.6).",
        ],
        "accessToken": [
            "type": "apiKey", "in": "query", "name": "access_token",
            "description": "The same token in the query or a form. Header and parameter must not differ.",
        ],
        "signedRequest": [
            "type": "apiKey", "in": "header", "name": "Authorization",
            "description": """
            `{VERB} requestor_id={R}, nonce={N}, signature_method=HMAC-SHA1, request_time={T}, \
            request_uri={U}, public_key={K}, signature={S}`: `T` in milliseconds with 13 digits, `S` the \
            Base64 of HMAC-SHA1 over everything before `, public_key=` under the private key that was \
            issued with `K` (rest-v1 7.2).
            """,
        ],
    ]
}

extension JSONValue {
    /// A value that this schema allows, in short.
    /// - Parameter name: of the field or member that has it.
    fileprivate func sample(_ name: String = "") -> JSONValue {
        if let value = (self["examples"] ?? self["enum"])?.array?.first { return value }
        return switch self["type"]?.string {
        case "object": .object((self["properties"]?.members ?? []).map { .init($0.name, $0.value.sample($0.name)) })
        case "array": .array(self["items"].map { [$0.sample(name)] } ?? [])
        case "integer": .integer(1)
        case "boolean": false
        default:
            .string(
                ["requestor": "DEMO", "provider": "DemoTV", "deviceId": "9f86d081…"][name] ?? "k7Qm2vTx9LbN4cRz…")
        }
    }
}
