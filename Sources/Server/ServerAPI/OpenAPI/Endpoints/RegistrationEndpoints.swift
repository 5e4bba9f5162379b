import HTTPServer

// Client registration (rest-v1 10.2, 10.3).
extension APIDescription {
    private static func answer(
        _ status: Int, _ text: String, _ schema: APISchema, headers: [APIAnswer.Header] = []
    ) -> APIAnswer {
        let pragma = APIAnswer.Header.always("Pragma", .constant(.string("no-cache")), "For older caches.")
        return APIAnswer(status, text, [.json(schema)], headers: [pragma] + headers)
    }

    private static func failure(_ status: Int, _ text: String, _ codes: String...) -> APIAnswer {
        self.answer(status, text, .object([.required("error", .choice(of: codes))]))
    }

    private static let failures = [
        .tooManyRequests, failure(500, "The server's own fault.", "server_error"),
        failure(503, "The store does not answer.", "temporarily_unavailable"),
    ]

    static let registrationEndpoints: [APIEndpoint] = [
        APIEndpoint(
            [.init(.post, "/o/client/register", "registerClient")], .registration, .everybody,
            "Register an installation of an application",
            "Every call makes a new client; an installation registers once and keeps what it got.",
            section: "rest-v1 10.2", headers: [.deviceInformationHeader],
            fields: [
                .required(
                    "software_statement", .text(1...16_384),
                    "The signed statement that the operator issued for the application."),
                .optional(
                    "redirect_uri", .text(0...4096), "Where a browser may end after a login; of a registered domain."),
            ],
            body: .formOrJSON,
            answers: [
                answer(201, "The client.", .named("Client")),
                failure(
                    400, "The call is malformed, or the application may not do this.", "invalid_request",
                    "invalid_redirect_uri", "invalid_software_statement", "unapproved_software_statement"),
            ] + failures),
        APIEndpoint(
            [.init(.post, "/o/client/token", "issueToken")], .registration, .everybody, "Get an access token",
            "The fields may also stand in the query, with an empty body of any type.", section: "rest-v1 10.3",
            fields: [
                .required("grant_type", .choice("client_credentials"), "The only grant there is."),
                .required("client_id", .text(1...256), "As registered."),
                .required("client_secret", .text(1...256), "As registered."),
                .optional("scope", .text(0...256), "Scopes with spaces between them; all granted ones when left out."),
            ],
            answers: [
                answer(201, "The token.", .named("AccessToken")),
                failure(
                    400, "The call is malformed, or the client may not do this.", "invalid_request", "invalid_client",
                    "unauthorized_client", "unsupported_grant_type"),
            ] + failures),
    ]
}
