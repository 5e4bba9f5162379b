import Clientless

// The documents of the SDK services (sdk-services 1 to 6).
extension APIDescription {
    private static let document = JSONSchema.text(1...65_536, pattern: "^<signatureInfo>[^\\n\\r]+$").described(
        "A signed document, as text on one line.")
    private static let metadata = JSONSchema.text().described("User metadata, JSON as text.")

    static let sdkSchemas: NamedSchemas = [
        "Device": .object([.required("deviceId", .text(pattern: "^[0-9a-f]{64}$"))]),
        "AuthenticationResult": .object([.required("authnToken", document), .required("userMeta", metadata)]).element(
            "result"),
        "AuthorizationResult": .object([.required("authzToken", document), .optional("userMeta", metadata)]).element(
            "result"),
        "BoxAccountProfile": .object([.required("profile", .text(1...4096))]).element("result"),
        "LogoutResult": .object([.required("logoutUrl", .text(1...8192))]).element("result"),
        "Refusal": .object([
            .optional("notAuthorized", .text(0...0)), .required("code", .text(pattern: "^([A-Z]+)?[0-9]+$")),
            .required("message", .text(1...1000)), .required("details", .text(1...10_000)),
        ]).element("error"),
        "PendingLogout": JSONSchema.object([]).element("pendingLogout").described(
            "The presented token was good once and is no more: drop it and start over."),
    ]
}
