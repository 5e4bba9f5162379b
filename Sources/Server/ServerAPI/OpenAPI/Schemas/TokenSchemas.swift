import Clientless

// Sign-ins, decisions and media tokens (rest-v1 14.3, 15.1, 16, 17). The ends are texts of digits (rest-v1 3.9).
extension APIDescription {
    static let digits = JSONSchema.text(1...19, pattern: "^[0-9]+$").described(
        "Milliseconds since 1970, as text.")
    private static let userID = JSONSchema.text(pattern: "^[0-9a-f]+$").described(
        "A pseudonym, the same on every device of a viewer.")
    private static let verdict: [JSONSchema.Property] = [
        .required("id", APIField.resourceText), .required("authorized", .flag),
    ]

    static let tokenSchemas: NamedSchemas = [
        "Authentication": .object([
            .required("requestor", APIField.requestorName), .required("mvpd", APIField.mvpdName),
            .required("userId", userID), .required("expires", digits),
        ]).element("authentication"),
        "Authorization": .object([
            .required("mvpd", APIField.mvpdName), .required("resource", APIField.resourceText),
            .required("requestor", APIField.requestorName), .required("expires", digits),
            .optional("proxyMvpd", APIField.mvpdName),
        ]).element("authorization"),
        "MediaToken": .object([
            .required("resource", APIField.resourceText), .required("requestor", APIField.requestorName),
            .required("expires", digits),
            .required(
                "serializedToken",
                .text(pattern: "^PHNpZ25hdHVyZUluZm8\\+[A-Za-z0-9+/]+={0,2}$").described(
                    "Base64 of the signed token document.")),
            .required("userId", userID), .required("mvpdId", APIField.mvpdName),
        ]).element("play"),
        "Preauthorization": .object([
            .required(
                "resources",
                .list(of: .object(verdict + [.optional("error", .named("EnhancedError"))])))
        ]),
        "PreauthorizationDocument": .object([
            .required("resource", .list(of: .object(verdict + [.optional("error", .named("EnhancedError"))])))
        ]).element("resources"),
    ]
}
