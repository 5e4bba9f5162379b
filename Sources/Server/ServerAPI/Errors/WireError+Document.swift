import Clientless
import HTTPServer

// Error documents (rest-v1 7.6, 8.1, 8.3).
extension WireError {
    private static let oauthErrors = JSONSchema.choice("invalid_request", "access_denied", "invalid_client")
        .described("The fault of the bearer token.")
    private static let sentence = JSONSchema.text().described("A sentence for people.")

    /// Every member that an error can have. The kinds of error have some of them.
    static let shape = Shape<(error: WireError, style: ErrorStyle)>(
        .init(
            "action", optional: { said in said.style.enhanced { _, _ in said.error.code.action.rawValue } },
            .choice(of: ErrorAction.allCases.map(\.rawValue)).described("The remedy.")),
        .init("status", \.error.status.code, .integer(400...599).described("The status of the answer.")),
        .init(
            "code", optional: { said in said.style.enhanced { _, _ in said.error.code.rawValue } },
            .choice(of: ErrorCode.allCases.map(\.rawValue)).described("The kind of error, for programs.")),
        .init("message", \.error.message, sentence).inJSON,
        .init("message", { $0.error.xmlMessage ?? $0.error.message }, sentence).inXML,
        .init(
            "details", optional: \.error.details.json,
            .text().described("The words of the provider or the programmer.").orNull),
        .init(
            "helpUrl", optional: { $0.style.enhanced { help, _ in help } },
            .text(format: "uri").described("Explains the codes.")),
        .init(
            "trace", optional: { $0.style.enhanced { _, trace in trace.description } },
            .text(format: "uuid").described("Names this answer.")),
        .init("error", optional: \.error.oauthError, oauthErrors).inJSON)

    fileprivate static let schemas: APIDescription.NamedSchemas = [
        "Error": shape.schema(.json, ["status", "message"], optional: ["error"]),
        "DetailedError": shape.schema(.json, ["status", "message", "details"]),
        "EnhancedError": shape.schema(
            .json, ["action", "status", "code", "message", "helpUrl", "trace"], optional: ["details", "error"]
        ).described("For requestors that opted in."),
        "ErrorDocument": shape.schema(.xml).element("error").described("Both kinds of error in XML."),
    ]
}

extension WireError.Details {
    fileprivate var json: JSONValue? {
        switch self {
        case .absent: nil
        case .text(let text): text.map { .string($0) } ?? .null
        }
    }
}

extension ErrorStyle {
    /// A member that enhanced errors alone have.
    fileprivate func enhanced(_ text: (_ help: String, _ trace: RequestID) -> String) -> String? {
        guard case .enhanced(let help, let trace) = self else { return nil }
        return text(help, trace)
    }
}

extension APIDescription {
    typealias NamedSchemas = KeyValuePairs<String, JSONSchema>

    /// Every schema of the components, in the order of the description.
    static let schemas =
        ([WireError.schemas] + errorsByStatus + [
            registrationSchemas, CodeDocument.schemas, ConfigurationDocuments.schemas, TokenDocuments.schemas,
            ReleasedMetadata.schemas, SDKAnswer.schemas, DegradationDocument.schemas, ReportDocument.schemas,
        ]).flatMap(\.self)

    private static let registrationSchemas: NamedSchemas = [
        "Client": ClientRegistration.clientSchema, "BoxConfiguration": ClientRegistration.boxSchema,
        "AccessToken": OAuth.tokenSchema,
    ]

    /// Every error document once more for each status that it repeats.
    private static let errorsByStatus: [NamedSchemas] =
        [400, 401, 403, 404, 405, 409, 410, 412, 413, 429, 500, 502, 503].map { status in
            let member = JSONSchema.members([.required("status", .constant(.integer(Int64(status))))])
            func either(_ names: String...) -> JSONSchema {
                .all(of: .any(of: (names + ["EnhancedError"]).map { .named($0) }), member)
            }
            return [
                "Error\(status)": either("Error"), "DetailedError\(status)": either("DetailedError"),
                "AnyError\(status)": either("Error", "DetailedError"),
                "ErrorDocument\(status)": .all(of: .named("ErrorDocument"), member).element("error"),
            ]
        }
}
