import Clientless

// User metadata (rest-v1 19).
extension APIDescription {
    private static let updated = JSONSchema.integer().described("Seconds since 1970.")
    private static let value = JSONSchema.any(of: [.text(), .list(of: .text()), .map(of: .text())])

    static let metadataSchemas: NamedSchemas = [
        "UserMetadata": .object([
            .required("updated", updated),
            .required("encrypted", .list(of: .text()).described("The members of `data` that are encrypted.")),
            .required(
                "data",
                .map(of: value).described(
                    "An encrypted value is a text: Base64 of RSAES-PKCS1-v1_5 under the programmer's certificate.")
            ),
        ]),
        "UserMetadataDocument": .object([
            .required("updated", updated),
            .required("encrypted", .object([.required("key", .list(of: .text()))])),
            .required("data", .members([]).described("Lists repeat their element.")),
        ]).element("userMetadata"),
    ]
}
