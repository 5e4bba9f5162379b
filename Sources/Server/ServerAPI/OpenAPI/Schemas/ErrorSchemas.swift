import Clientless

// Error documents (rest-v1 7.6, 8.1, 8.3).
extension APIDescription {
    typealias NamedSchemas = KeyValuePairs<String, JSONSchema>

    /// Every schema of the components, in the order of the description.
    static let schemas =
        ([errorSchemas] + errorsByStatus + [
            registrationSchemas, codeSchemas, configurationSchemas, tokenSchemas, metadataSchemas, sdkSchemas,
            managementSchemas,
        ]).flatMap(\.self)

    private static let registrationSchemas: NamedSchemas = [
        "Client": ClientRegistration.clientSchema, "BoxConfiguration": ClientRegistration.boxSchema,
        "AccessToken": OAuth.tokenSchema,
    ]

    private static let status = JSONSchema.integer(400...599).described("The status of the answer.")
    private static let message = JSONSchema.text().described("A sentence for people.")
    private static let details = JSONSchema.text().described("The words of the provider or the programmer.")

    private static let oauthError = JSONSchema.choice("invalid_request", "access_denied", "invalid_client")
        .described("The fault of the bearer token.")

    private static let enhanced: [JSONSchema.Property] = [
        .required("action", .choice(of: ErrorAction.allCases.map(\.rawValue)).described("The remedy.")),
        .required("status", status),
        .required(
            "code", .choice(of: ErrorCode.allCases.map(\.rawValue)).described("The kind of error, for programs.")),
        .required("message", message), .optional("details", details.orNull),
        .required("helpUrl", .text(format: "uri").described("Explains the codes.")),
        .required("trace", .text(format: "uuid").described("Names this answer.")),
    ]

    private static let errorSchemas: NamedSchemas = [
        "Error": .object([.required("status", status), .required("message", message), .optional("error", oauthError)]),
        "DetailedError": .object([
            .required("status", status), .required("message", message), .required("details", details.orNull),
        ]),
        "EnhancedError": .object(enhanced + [.optional("error", oauthError)]).described(
            "For requestors that opted in."),
        "ErrorDocument": .object(
            [.required("status", status), .required("message", message)]
                + ["action", "code", "details", "helpUrl", "trace"].map { name in
                    .optional(name, enhanced.first { $0.name == name }?.schema ?? .text())
                }
        ).element("error").described("Both kinds of error in XML."),
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
