import HTTPServer

// The browser's way to the provider, and logout (rest-v1 13.1, 18).
extension APIDescription {
    private static let redirectURL = APIField.required(
        "redirect_url", .text(1...4096),
        "Where the browser ends, of a registered domain or scheme. Last of all; it may stand there unencoded.")

    static let authenticateFields: [APIField] = [
        .required("reg_code", .text(1...32), "The code the viewer typed. First of all."),
        .required("requestor_id", APIField.requestorName, "The channel brand; `requestor` is the same."),
        .required("mso_id", APIField.mvpdName, "The provider the viewer picked."),
        .required("domain_name", .text(1...253), "A registered domain of the requestor."),
        .optional("noflash", .text(0...16), "Ignored."), .optional("no_iframe", .text(0...16), "Ignored."),
        .genericData, .format, redirectURL,
    ]

    static let signInEndpoints: [APIEndpoint] = [
        APIEndpoint(
            [
                .init(.get, "/api/v1/authenticate", "authenticate"),
                .init(.post, "/api/v1/authenticate", "authenticateByForm"),
                .init(.get, "/adobe-services/authenticate/saml", "authenticateOfSDK"),
                .init(.post, "/adobe-services/authenticate/saml", "authenticateOfSDKByForm"),
                .init(.get, "/adobe-services/1.0/authenticate/saml", "authenticateOfSDK1"),
                .init(.post, "/adobe-services/1.0/authenticate/saml", "authenticateOfSDK1ByForm"),
            ], .signIn, .everybody, "Send the viewer to sign in",
            "A browser comes here from the page that took the code. It ends at `redirect_url`, unchanged, however the "
                + "login goes; `checkauthn/{code}` tells.",
            section: "rest-v1 13.1", fields: authenticateFields,
            answers: [
                APIAnswer(
                    200, "A page that sends the browser on by itself, where the provider wants a form.", [.html],
                    headers: [.cookie]),
                APIAnswer(
                    302, "To the provider, or back where the login is over at once.", headers: [.location, .cookie]),
                .pageOrError(400, "A parameter is missing or of no use; the code may be over or used."),
                .pageOrError(429, "Too many wrong codes from this address.", headers: [.retryAfter]),
                .pageOrError(500, "The provider could not be reached, or the server failed."),
                .pageOrError(503, "The store does not answer.", headers: [.retryAfter]),
            ]),
        APIEndpoint(
            [.init(.delete, "/api/v1/logout", "logout")], .signIn, .device, "Sign a device out",
            "Ends the sign-in and its decisions for every requestor that shares it. Trials and codes stay.",
            section: "rest-v1 18", headers: APIField.deviceHeaders, fields: APIField.device,
            answers: [.empty(204, "The device is signed out.")] + APIAnswer.device(invalid: APIAnswer.missing)),
    ]
}
