import Clientless
import Entitlement
import HTTPServer

/// The provider lists of all requestors, written once: they change only with the configuration (rest-v1 12).
struct ConfigurationDocuments: Sendable {
    /// Clients may keep it for minutes (rest-v1 3.6).
    private static let caching = "max-age=300"

    private let answers: [RequestorID: PreparedAnswer]

    init(_ catalogue: Catalogue, _ settings: APISettings) {
        var answers: [RequestorID: PreparedAnswer] = [:]
        for requestor in catalogue.requestors {
            let document = Self.document(requestor, catalogue, placeholder: settings.placeholderLogoURL)
            answers[requestor.id] = PreparedAnswer(document, caching: Self.caching)
        }
        self.answers = answers
    }

    /// The list of one requestor, if there is one.
    func response(for name: String, _ format: WireFormat) -> HTTPResponse? {
        RequestorID(name).flatMap { self.answers[$0]?[format] }
    }

    static func document(_ requestor: Requestor, _ catalogue: Catalogue, placeholder: String) -> WireDocument {
        let domains = requestor.domains.map { domain in
            WireValue.object(WireObject([.init("name", .string(domain)), .init("mvpdInitiated", .bool(false))]))
        }
        let mvpds = catalogue.mvpds(of: requestor).map { mvpd in
            WireValue.object(
                Self.object(mvpd, catalogue.integration(requestor.id, mvpd.id), placeholder: placeholder))
        }
        let description = WireObject([
            .init("id", .string(requestor.id.text)), .init("name", .string(requestor.name)),
            .init("domains", .object(WireObject([.init("domain", .array(domains))]))),
            .init("mvpds", .object(WireObject([.init("mvpd", .array(mvpds))]))),
        ])
        return WireDocument(
            "config",
            WireObject([
                .init("device", .string("unknown")), .init("clientType", .string("html5")),
                .init("os", .string("Unknown")), .init("requestor", .object(description)),
            ]))
    }

    /// One entry of the picker. What this server does not do is said as such: clients read a missing flag as true.
    private static func object(_ mvpd: MVPD, _ integration: Integration?, placeholder: String) -> WireObject {
        WireObject(
            [
                .init("id", .string(mvpd.id.text)), .init("displayName", .string(mvpd.displayName)),
                .init("logoUrl", .string(mvpd.logoURL ?? placeholder)), .init("iFrameRequired", .bool(false)),
                .init("authPerAggregator", .bool(integration?.authPerAggregator ?? false)),
                .init("passiveAuthnEnabled", .bool(true)), .init("authPerBrowserSession", .bool(false)),
                .init("foregroundLogout", .bool(false)), .init("isProxy", .bool(false)),
                .init("isTempPass", .bool(mvpd.trial != nil)),
            ] + (integration?.platform.map { self.platformMembers($0) } ?? []),
            attributes: [.init("visible", "true")])
    }

    /// Platform SSO, left out where it is not configured.
    private static func platformMembers(_ platform: PlatformBoarding) -> [WireObject.Member] {
        var members: [WireObject.Member] = [.init("enablePlatformServices", .bool(platform.isEnabled))]
        if let status = platform.status { members.append(.init("boardingStatus", .string(status.rawValue))) }
        members.append(.init("displayInPlatformPicker", .bool(platform.isInPlatformPicker)))
        if let id = platform.mappingID { members.append(.init("platformMappingId", .string(id))) }
        if !platform.requiredMetadataFields.isEmpty {
            let fields = WireValue.array(platform.requiredMetadataFields.map { .string($0) })
            members += [
                .init("requiredMetadataFields", fields, only: .json),
                .init("requiredMetadataFields", .object(WireObject([.init("field", fields)])), only: .xml),
            ]
        }
        members.append(.init("enforcePlatformPermissions", .bool(platform.enforcesPermissions)))
        return members
    }
}
