import HTTPServer

// Decisions and media tokens (rest-v1 15 to 17), and metadata (rest-v1 19).
extension APIDescription {
    private static let notAuthorized = """
        `User not authorized`, with the provider's or programmer's sentence in `details` where there is one; \
        `User not authenticated`.
        """
    private static let resources = APIField.required(
        "resource", APIField.resourceText, "Names of resources with commas between them; no MRSS.")

    static let authorizationEndpoints: [APIEndpoint] = [
        APIEndpoint(
            [
                .init(.get, "/api/v1/authorize", "authorize"),
                .init(.post, "/api/v1/authorize", "authorizeByForm"),
            ], .authorization, .device, "Ask for a decision about a resource",
            "A decision that is still good is returned without asking the provider again. A refusal ends an earlier "
                + "permission.",
            section: "rest-v1 15.1", headers: APIField.deviceHeaders,
            fields: APIField.device + [.resource, .genericData],
            answers: [.document(200, "Permitted.", json: "Authorization")]
                + APIAnswer.device(invalid: APIAnswer.missing, forbidden: notAuthorized, .authorization)),
        APIEndpoint(
            [.init(.get, "/api/v1/tokens/authz", "readAuthorization")], .authorization, .device,
            "Read the stored decision about a resource", "Asks nobody and changes nothing.", section: "rest-v1 15.2",
            headers: APIField.deviceHeaders, fields: APIField.device + [.resource],
            answers: [
                .document(200, "Permitted.", json: "Authorization"),
                .error(404, "`Not Found` (in XML `Not found`): no decision.", .authorization),
                .error(410, "`Gone`: it is over.", .authorization),
                .error(412, "`User not authenticated`", .authorization),
            ] + APIAnswer.device(invalid: APIAnswer.missing, .authorization)),
        APIEndpoint(
            [
                .init(.get, "/api/v1/tokens/media", "issueMediaToken"),
                .init(.post, "/api/v1/tokens/media", "issueMediaTokenByForm"),
                .init(.get, "/api/v1/mediatoken", "mediaToken"),
                .init(.post, "/api/v1/mediatoken", "mediaTokenByForm"),
            ], .authorization, .device, "Get a media token for a permitted resource",
            "Needs a decision that `authorize` obtained. Every call issues a new token.", section: "rest-v1 16",
            headers: APIField.deviceHeaders, fields: APIField.device + [.resource],
            answers: [.document(200, "The token.", json: "MediaToken")]
                + APIAnswer.device(invalid: APIAnswer.missing, forbidden: notAuthorized, .authorization)),
        APIEndpoint(
            [
                .init(.get, "/api/v1/preauthorize", "preauthorize"),
                .init(.post, "/api/v1/preauthorize", "preauthorizeByForm"),
            ], .authorization, .device, "Ask which resources would probably be permitted",
            "For showing them; nothing is stored.", section: "rest-v1 17", headers: APIField.deviceHeaders,
            fields: APIField.device + [resources],
            answers: [verdicts, unsigned, wrongMethod]
                + APIAnswer.device(
                    invalid: APIAnswer.missing, forbidden: "More resources than the requestor may ask about.",
                    .authorization)),
        APIEndpoint(
            [
                .init(.get, "/api/v1/preauthorize/{code}", "preauthorizeCode"),
                .init(.post, "/api/v1/preauthorize/{code}", "preauthorizeCodeByForm"),
            ], .authorization, .everybody, "Ask the same for the sign-in a code has led to",
            "For the page a login came back to.",
            section: "rest-v1 17", fields: [.mandatoryRequestor, resources, .format],
            answers: [
                verdicts, unsigned, wrongMethod,
                .error(400, APIAnswer.missing, .authentication, .authorization),
                .error(
                    403, "More resources than the requestor may ask about.", .authentication, .authorization),
            ] + APIAnswer.always),
    ]

    private static let verdicts = APIAnswer.document(
        200, "One verdict for each resource, in the order asked.", json: "Preauthorization",
        xml: "PreauthorizationDocument",
        headers: [
            .always("Adobe-Response-Confidence", .constant(.string("full")), "How sure the verdicts are.")
        ])
    private static let unsigned = APIAnswer.error(412, "`User not authenticated`", .authentication, .authorization)
    private static let wrongMethod = APIAnswer.error(
        405, "Another method.", .authentication,
        headers: [.always("Allow", .text(1...64), "The methods there are.")])

    static let metadataEndpoints: [APIEndpoint] = [
        APIEndpoint(
            [.init(.get, "/api/v1/tokens/usermetadata", "readUserMetadata")], .metadata, .device,
            "Read what the provider says of the viewer", section: "rest-v1 19", headers: APIField.deviceHeaders,
            fields: APIField.device,
            answers: [
                .document(200, "The metadata.", json: "UserMetadata", xml: "UserMetadataDocument"),
                .error(404, "`Not Found`: signed in, and there is none.", .authentication, .authorization),
                .error(412, "`User not authenticated`", .authentication, .authorization),
            ] + APIAnswer.device(invalid: APIAnswer.missing))
    ]
}
