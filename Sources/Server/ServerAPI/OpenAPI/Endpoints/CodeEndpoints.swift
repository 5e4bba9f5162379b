import HTTPServer

// Registration codes (rest-v1 11).
extension APIDescription {
    private static let codes = "/reggie/v1/{requestor}/regcode"
    private static let url = APISchema.text(0...2048)

    static let codeEndpoints: [APIEndpoint] = [
        APIEndpoint(
            [.init(.post, codes, "createCode")], .codes, .device, "Ask for a registration code",
            "The same device may hold ten codes of a requestor; one more ends the oldest.", section: "rest-v1 11.1",
            headers: APIField.deviceHeaders,
            fields: APIField.deviceOfPath + [
                .optional("mvpd", APIField.mvpdName, "The provider the viewer shall sign in at."),
                .optional(
                    "ttl", .text(0...9, pattern: "^[0-9]*$").standard(.string("1800")).example(.string("1800")),
                    "Life of the code in seconds, 1 to 36000."),
                .optional("registrationURL", url, "The page that takes the code, as the device shows it."),
                .optional("appVersion", APIField.shortText, "Deprecated. For information."),
            ],
            answers: [
                .document(201, "The code.", json: "RegistrationCode", xml: "RegistrationCodeDocument")
            ] + APIAnswer.device(invalid: APIAnswer.missing)),
        APIEndpoint(
            [.init(.get, codes + "/{code}", "readCode")], .codes, .everybody, "Look at a registration code",
            "For pages that take codes. What tells the device apart is left out where the requestor hides it.",
            section: "rest-v1 11.2", fields: [.format],
            answers: [
                .document(200, "The code.", json: "RegistrationCode", xml: "RegistrationCodeDocument"),
                .error(404, "`Not Found`: unknown, over, or another requestor's.", .authentication),
            ] + APIAnswer.always),
        APIEndpoint(
            [
                .init(.delete, codes + "/{code}", "deleteCode"),
                .init(.delete, "/reggie/v1/regcode/{code}", "deleteCodeOfCredential"),
            ], .codes, .device, "End a registration code",
            "Sign-ins obtained with it stay. Without a requestor in the path those of the credential are meant.",
            section: "rest-v1 11.3", headers: [.deviceInformationHeader], fields: [.format],
            answers: [.empty(204, "There is no such code any more.")] + APIAnswer.device(invalid: APIAnswer.missing)),
    ]
}
