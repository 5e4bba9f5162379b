import HTTPServer

// Trials (rest-v1 20.2) and the operating system's provider account (rest-v1 21).
extension APIDescription {
    static let trialEndpoints: [APIEndpoint] = [
        APIEndpoint(
            [.init(.post, "/api/v1/authenticate/freepreview", "startTrial")], .trials, .device, "Begin a trial",
            "Its time runs from the first decision. Who has used it up is told when a decision is asked for.",
            section: "rest-v1 20.2", headers: APIField.deviceHeaders,
            fields: [
                .required("requestor_id", APIField.requestorName, "The channel brand; `requestor` is the same."),
                .required("mso_id", APIField.mvpdName, "The trial, which is listed like a provider."),
                .required("domain_name", .text(1...253), "A registered domain of the requestor."), .deviceID,
                .genericData,
            ] + APIField.deviceDetails,
            answers: [.empty(204, "Signed in.")]
                + APIAnswer.device(
                    invalid: "A parameter is missing or of no use, or there is no such trial."))
    ]

    static let platformEndpoints: [APIEndpoint] = [
        APIEndpoint(
            [.init(.get, "/api/v1/{requestor}/profile-requests/{mvpd}", "readProfileRequest")], .platform, .device,
            "Get the request to hand to the operating system", section: "rest-v1 21.1",
            headers: [.deviceInformationHeader],
            fields: [.required("deviceType", .choice("iOS", "tvOS"), "The operating system."), .format],
            answers: [
                APIAnswer(
                    200, "The request, to be passed on unread.",
                    [.init(type: "application/octet-stream", schema: .text())])
            ]
                + APIAnswer.device(
                    invalid: "`deviceType` is of no use, or there is nothing to ask for at this provider.")),
        APIEndpoint(
            [.init(.post, "/api/v1/tokens/authn", "exchangeProfileResponse")], .platform, .device,
            "Sign in with the operating system's answer", section: "rest-v1 21.2", headers: APIField.deviceHeaders,
            fields: [
                .requestor, .deviceID, .required("mvpd", APIField.mvpdName, "The provider of the account."),
                .required("deviceType", .choice("iOS", "tvOS"), "The operating system."),
                .required("SAMLResponse", .text(1...131_072), "The answer: Base64 of a SAML response."),
                .optional("deviceUser", APIField.shortText, "Deprecated."),
                .optional("appId", APIField.shortText, "Deprecated."), .format,
            ],
            answers: [.empty(204, "Signed in.")]
                + APIAnswer.device(invalid: "A parameter is missing or of no use, or the answer is not accepted.")),
    ]
}
