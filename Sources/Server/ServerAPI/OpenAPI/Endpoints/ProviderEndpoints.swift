import HTTPServer

// The provider list (rest-v1 12) and the key of media tokens (rest-v1 22.5).
extension APIDescription {
    private static let kept = "max-age=300"
    private static let vary = APIAnswer.Header.always(
        "Vary", .text(pattern: "^(Accept, )?Origin$"), "What else decides about the answer.")

    static let providerEndpoints: [APIEndpoint] = [
        APIEndpoint(
            [.init(.get, "/api/v1/config/{requestor}", "readConfiguration")], .providers, .everybody,
            "List the providers of a requestor", section: "rest-v1 12",
            fields: [.optional("deviceType", APIField.shortText, "Deprecated; ignored."), .format],
            answers: [
                .document(
                    200, "The list, in the order it is to be shown.", json: "Configuration",
                    xml: "ConfigurationDocument", headers: [vary], caching: kept),
                .error(400, "`Invalid requestor`", .authentication), .tooManyRequests,
            ]),
        APIEndpoint(
            [.init(.get, "/adobe-services/config/{requestor}", "readConfigurationDocument")], .providers, .everybody,
            "List the providers of a requestor, always in XML", section: "rest-v1 12",
            answers: [
                APIAnswer(
                    200, "The list, in the order it is to be shown.", [.xml(.named("ConfigurationDocument"))],
                    headers: [vary], caching: kept),
                .error(400, "`Invalid requestor`", .authentication), .tooManyRequests,
            ]),
    ]

    static let keyEndpoints: [APIEndpoint] = [
        APIEndpoint(
            [.init(.get, "/.well-known/media-token-key.pem", "readMediaTokenKeys")], .keys, .everybody,
            "Get the public keys of token documents", section: "rest-v1 22.5",
            answers: [
                APIAnswer(
                    200, "The keys, newest first.", [.init(type: "application/x-pem-file", schema: .text())],
                    headers: [vary], caching: kept)
            ])
    ]
}
