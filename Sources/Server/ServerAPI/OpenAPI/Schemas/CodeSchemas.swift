import Clientless

// The code record (rest-v1 11.1).
extension APIDescription {
    private static let base64 = JSONSchema.text(pattern: "^[A-Za-z0-9+/]*={0,2}$")

    private static let record: [JSONSchema.Property] = [
        .required("id", .text(format: "uuid")),
        .required("code", .text(pattern: "^[BCDFGHJKLMNPQRSTVWXZ2-9]{7,8}$")),
        .required("requestor", APIField.requestorName),
    ]

    private static let times: [JSONSchema.Property] = [
        .required("generated", .integer().described("Milliseconds since 1970.")),
        .required("expires", .integer().described("Milliseconds since 1970.")),
    ]

    private static let deviceID = JSONSchema.Property.required(
        "deviceId", base64.described("Base64 of the device ID, or of an alias that stands for this code alone."))

    /// The members that older clients know, as null where it is not set.
    private static let classic: [JSONSchema.Property] =
        [deviceID]
        + ["deviceType", "deviceUser", "appId", "appVersion", "registrationURL"].map { .required($0, .text().orNull) }

    private static let newer: [JSONSchema.Property] = [
        .optional("deviceInfo", base64.described("Base64 of the normalised device information, a JSON object.")),
        .optional("userAgent", .text()), .optional("originalUserAgent", .text()),
    ]

    /// Only for clients with a bearer token.
    private static let registered: [JSONSchema.Property] = [
        .required("authorizationType", .constant(.string("OAUTH2"))),
        .required(
            "sourceApplicationInformation",
            .object(["id", "name", "version"].map { .required($0, .text()) })),
    ]

    static let codeSchemas: NamedSchemas = [
        "RegistrationCode": .object(
            record + [.optional("mvpd", APIField.mvpdName)] + times + [
                .required(
                    "info", .any(of: [.named("CodeInformation"), .named("CodeInformationOfClient")]))
            ]),
        "CodeInformation": .object(classic + newer).described("Only for a code that a signed header asked for."),
        "CodeInformationOfClient": .object(classic + newer + registered).described(
            "Only for a code that a bearer token asked for."),
        "RegistrationCodeDocument": .object(
            record + [.required("mvpd", .text(0...64).described("Empty when not set."))] + times + [
                .required(
                    "info",
                    .object((classic + newer + registered).map { $0.name == "deviceId" ? $0 : $0.inXML }))
            ]
        ).element("regcode", namespace: ("ns2", "model.mvc.reggie.pass.adobe.com")),
    ]
}

extension JSONSchema.Property {
    /// The same in XML, where what is not set is left out.
    fileprivate var inXML: JSONSchema.Property {
        let type = self.schema.json["type"]
        return .optional(self.name, type == nil || type == "object" ? self.schema : .text())
    }
}
