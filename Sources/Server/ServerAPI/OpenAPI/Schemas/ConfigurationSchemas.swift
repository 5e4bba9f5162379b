import Clientless

// The provider list (rest-v1 12).
extension APIDescription {
    private static let flags = [
        "iFrameRequired", "authPerAggregator", "passiveAuthnEnabled", "authPerBrowserSession", "foregroundLogout",
        "isProxy", "isTempPass",
    ]

    private static let named: [JSONSchema.Property] = [
        .required("id", APIField.mvpdName.described("The value for `mso_id`.")),
        .required("displayName", .text(1...1000)), .required("logoUrl", .text(1...4096)),
    ]

    /// Left out where it is not configured.
    private static let platform: [JSONSchema.Property] = [
        .optional("iFrameWidth", .integer()), .optional("iFrameHeight", .integer()),
        .optional("enablePlatformServices", .flag), .optional("boardingStatus", .choice("SUPPORTED", "PICKER")),
        .optional("displayInPlatformPicker", .flag), .optional("platformMappingId", .text()),
        .optional("enforcePlatformPermissions", .flag),
        .optional(
            "metadata",
            .object([
                .optional("promotional", .flag),
                .optional("degradation", .choice("authn-all", "authz-all", "authz-none")),
            ])),
    ]

    private static func provider(_ more: [JSONSchema.Property]) -> JSONSchema {
        .object(named + flags.map { .required($0, .flag) } + platform + more)
    }

    private static func configuration(_ provider: String) -> JSONSchema {
        let domain = JSONSchema.object([.required("name", .text(1...253)), .required("mvpdInitiated", .flag)])
        let requestor = JSONSchema.object([
            .required("id", APIField.requestorName), .required("name", .text(1...1000)),
            .required("domains", .object([.required("domain", .list(of: domain))])),
            .required("mvpds", .object([.required("mvpd", .list(of: .named(provider)))])),
        ])
        return .object([
            .required("device", .text()), .required("clientType", .text()), .required("os", .text()),
            .required("requestor", requestor),
        ])
    }

    static let configurationSchemas: NamedSchemas = [
        "Configuration": configuration("Provider"),
        "Provider": provider([.optional("requiredMetadataFields", .list(of: .text()))]),
        "ConfigurationDocument": configuration("ProviderElement").element("config"),
        "ProviderElement": provider([
            .optional("requiredMetadataFields", .object([.required("field", .list(of: .text()))])),
            .required("visible", JSONSchema.flag.asAttribute),
        ]),
    ]
}
