import HTTPServer

// How endpoints become the paths and components of the document.
extension APIDescription {
    static var paths: WireObject {
        var order: [String] = []
        var items: [String: [WireObject.Member]] = [:]
        for endpoint in self.endpoints {
            for call in endpoint.calls {
                if items[call.path] == nil { order.append(call.path) }
                let method = call.method.text.lowercased()
                items[call.path, default: []].append(.init(method, .object(self.operation(call, of: endpoint))))
            }
        }
        return WireObject(order.map { path in .init(path, .object(WireObject(items[path] ?? []))) })
    }

    static var components: WireObject {
        let schemas = self.schemas.map { WireObject.Member($0.name, .object($0.schema.object)) }
        let responses = APIAnswer.components.compactMap { answer in
            answer.component.map { WireObject.Member($0, .object(answer.object)) }
        }
        let headers = APIAnswer.Header.components.compactMap { header in
            header.component.map { WireObject.Member($0, .object(header.object)) }
        }
        let parameters = APIField.components.map { entry in
            WireObject.Member(entry.field.name, .object(entry.field.parameter(in: entry.place)))
        }
        return WireObject([
            .init("schemas", .object(WireObject(schemas))), .init("responses", .object(WireObject(responses))),
            .init("parameters", .object(WireObject(parameters))), .init("headers", .object(WireObject(headers))),
            .init("securitySchemes", .object(self.securitySchemes)),
        ])
    }

    private static func operation(_ call: EndpointFacts.Call, of endpoint: EndpointFacts) -> WireObject {
        let isPost = call.method == .post
        let inQuery = isPost ? [] : endpoint.fields.map { $0.reference(in: .query) }
        let parameters =
            self.pathFields(of: call.path).map { $0.reference(in: .path) } + inQuery
            + endpoint.headers.map { $0.reference(in: .header) }
        let text = endpoint.text.isEmpty ? "" : endpoint.text + "\n\n"
        var members: [WireObject.Member] = [
            .init("operationId", .string(call.id)),
            .init("tags", .array(endpoint.tag.map { [.string($0.rawValue)] } ?? [])),
            .init("summary", .string(endpoint.summary)),
            .init("description", .string(text + self.source(of: endpoint) + self.example(of: call, endpoint))),
            .init("security", .array(self.security(of: endpoint.access))),
        ]
        if !parameters.isEmpty { members.append(.init("parameters", .array(parameters.map { .object($0) }))) }
        if isPost, !endpoint.fields.isEmpty || endpoint.body == .xml {
            members.append(.init("requestBody", .object(self.body(of: endpoint))))
        }
        let answers = endpoint.answers(to: call).map { answer in
            WireObject.Member(String(answer.status), .object(answer.reference))
        }
        members.append(.init("responses", .object(WireObject(answers))))
        return WireObject(members)
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
        let shared = self.endpoints.filter { $0.summary == endpoint.summary }.flatMap(\.calls)
            .first { $0.method == call.method }
        return self.examples[shared?.id ?? call.id].map { "\n\n```http\n\($0)```" } ?? ""
    }

    /// The variables of a path, in their order.
    private static func pathFields(of path: String) -> [APIField] {
        path.split(separator: "/").filter { $0.hasPrefix("{") }.map { segment in
            APIField.inPath(String(segment.dropFirst().dropLast()))
        }
    }

    private static func body(of endpoint: EndpointFacts) -> WireObject {
        // Clients send more than is read; what is more is ignored.
        let schema = endpoint.body == .xml ? .text() : APISchema.members(endpoint.fields.map(\.property))
        let types =
            switch endpoint.body {
            case .form: ["application/x-www-form-urlencoded"]
            case .json: ["application/json"]
            case .xml: ["text/xml"]
            case .formOrJSON: ["application/json", "application/x-www-form-urlencoded"]
            }
        let content = types.map { type in
            WireObject.Member(type, .object(WireObject([.init("schema", .object(schema.object))])))
        }
        let isRequired = endpoint.body == .xml || endpoint.fields.contains { $0.isRequired }
        return WireObject([
            .init("required", .bool(isRequired)), .init("content", .object(WireObject(content))),
        ])
    }

    private static func security(of access: EndpointFacts.Access) -> [WireValue] {
        func scheme(_ name: String, _ scopes: [String] = []) -> WireValue {
            .object(WireObject([.init(name, .array(scopes.map { .string($0) }))]))
        }
        return switch access {
        case .everybody: []
        case .device: [scheme("bearer", ["api:client:v1"]), scheme("accessToken"), scheme("signedRequest")]
        // Their token stands in the header alone.
        case .bearer(let scopes): [scheme("bearer", [scopes.described])]
        }
    }

    private static var securitySchemes: WireObject {
        func scheme(_ name: String, _ members: [(String, String)]) -> WireObject.Member {
            .init(name, .object(WireObject(members.map { .init($0.0, .string($0.1)) })))
        }
        return WireObject([
            scheme(
                "bearer",
                [
                    ("type", "http"), ("scheme", "bearer"), ("bearerFormat", "JWT"),
                    ("description", "A token of `/o/client/token` (rest-v1 7.6)."),
                ]),
            scheme(
                "accessToken",
                [
                    ("type", "apiKey"), ("in", "query"), ("name", "access_token"),
                    ("description", "The same token in the query or a form. Header and parameter must not differ."),
                ]),
            scheme(
                "signedRequest",
                [
                    ("type", "apiKey"), ("in", "header"), ("name", "Authorization"),
                    (
                        "description",
                        """
                        `{VERB} requestor_id={R}, nonce={N}, signature_method=HMAC-SHA1, request_time={T}, \
                        request_uri={U}, public_key={K}, signature={S}`: `T` in milliseconds with 13 digits, `S` the \
                        Base64 of HMAC-SHA1 over everything before `, public_key=` under the private key that was \
                        issued with `K` (rest-v1 7.2).
                        """
                    ),
                ]),
        ])
    }
}
