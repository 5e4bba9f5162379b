import Clientless

// Client registration (rest-v1 10.2, 10.3).
extension APIDescription {
    static let registrationSchemas: NamedSchemas = [
        "Client": .object([
            .required("client_id", .text(format: "uuid")),
            .required("client_secret", .text(16...256).described("Told this once.")),
            .required("redirect_uris", .list(of: .text())),
            .required("grant_types", .list(of: .constant(.string("client_credentials")))),
            .required("scopes", .list(of: .text(1...64))),
            .required("client_id_issued_at", .integer().described("Seconds since 1970.")),
        ]),
        "BoxConfiguration": .object([
            .required("server", .text(1...2048).described("This server, as its operator calls it.")),
            .required("requestors", .list(of: APIField.requestorName)),
            .optional(
                "publicKey", .text(32...32).described("With privateKey, or softwareStatement in place of both.")),
            .optional("privateKey", .text(16...128)), .optional("softwareStatement", .text(1...16_384)),
            .optional(
                "certificateAuthority",
                .text(2...4096).described("The file on the box with the only authorities that it trusts.")),
            .optional("proxy", .text(1...1024).described("The way of the box to this server.")),
        ]),
        "AccessToken": .object([
            .required("id", .text(format: "uuid").described("Names the token in the server's log.")),
            .required(
                "access_token",
                .text(pattern: #"^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$"#).described(
                    "A JWT with a numeric `exp`.")),
            .required("created_at", .integer().described("Milliseconds since 1970.")),
            .required("expires_in", .integer(3600...).described("Seconds.")),
            .required("token_type", .constant(.string("bearer"))),
        ]),
    ]
}
