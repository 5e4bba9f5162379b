import HTTPServer

// "Is somebody signed in?", by code and by device (rest-v1 13.5, 14; sdk-services 8).
extension APIDescription {
    private static let signedIn = APIAnswer(
        200, "Signed in. Without a body and its type, or JSON's `{}` for a caller whose `Accept` names JSON.",
        headers: [.preferenceApplied])

    private static func held(_ answers: [APIAnswer]) -> [APIAnswer] {
        answers.map { $0.component == nil && $0.status != 400 ? $0.adding([.preferenceApplied]) : $0 }
    }

    private static let pickUps: [APIAnswer] = [
        .document(200, "The sign-in.", json: "Authentication"),
        .error(404, "`Not Found`: not yet, or no such code.", .authentication),
        .error(410, "`Gone`: the sign-in is over.", .authentication),
    ]

    static let pollEndpoints: [APIEndpoint] = [
        APIEndpoint(
            [.init(.get, "/api/v1/checkauthn/{code}", "checkCode")], .signIn, .everybody,
            "Whether a code has led to a sign-in", "For the page a login came back to.", section: "rest-v1 14.1",
            headers: [.prefer], fields: [.mandatoryRequestor, .format],
            answers: held(
                [
                    .error(400, "`requestor` is missing or unknown.", .authentication),
                    .error(403, "`Forbidden`: not yet, or never.", .authentication),
                ]) + [signedIn] + APIAnswer.always),
        APIEndpoint(
            [.init(.get, "/api/v1/checkauthn", "checkDevice")], .signIn, .device, "Whether a device is signed in",
            section: "rest-v1 14.2", headers: APIField.deviceHeaders + [.prefer], fields: APIField.device,
            answers: [signedIn]
                + held(
                    APIAnswer.device(
                        invalid: APIAnswer.missing,
                        forbidden: "`Authentication token not found` or `Authentication token expired`."))),
        APIEndpoint(
            [.init(.get, "/api/v1/authenticate/{code}", "pickUpCode")], .signIn, .device,
            "Pick up the sign-in a code has led to", "Changes nothing and may be repeated.",
            section: "rest-v1 13.5", headers: APIField.deviceHeaders + [.prefer], fields: [.requestor, .format],
            answers: held(
                pickUps.map { $0.adding([.codeState, .providerReason]) } + APIAnswer.device(invalid: APIAnswer.missing))
        ),
        APIEndpoint(
            [.init(.get, "/api/v1/tokens/authn", "readAuthentication")], .signIn, .device,
            "Read the sign-in of a device", "Reading does not lengthen it.", section: "rest-v1 14.3",
            headers: APIField.deviceHeaders + [.prefer], fields: APIField.device,
            answers: held(
                [
                    .document(200, "The sign-in.", json: "Authentication"),
                    .error(
                        404, "`Not Found` (in XML `Not found`): none that this requestor may see.", .authentication),
                    .error(410, "`Gone`: it is over.", .authentication),
                ] + APIAnswer.device(invalid: APIAnswer.missing))),
    ]
}
