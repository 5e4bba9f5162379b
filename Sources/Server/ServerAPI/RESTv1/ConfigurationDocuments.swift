import Clientless
import Entitlement
import HTTPServer
import Synchronization

/// The provider lists of all requestors, written once for as long as they say the same: they change with the
/// configuration, with the logos that arrive, and for as long as a provider is bypassed (rest-v1 12, 25).
final class ConfigurationDocuments: Sendable {
    /// Clients may keep it for minutes (rest-v1 3.6).
    private static let caching = "max-age=300"

    /// A list with the logos of its time.
    private struct Written {
        let answer: PreparedAnswer
        let version: Int
    }

    private let written = Mutex<[RequestorID: Written]>([:])
    private let catalogue: Catalogue
    private let settings: APISettings

    init(_ catalogue: Catalogue, _ settings: APISettings) {
        self.catalogue = catalogue
        self.settings = settings
        for requestor in catalogue.requestors { _ = self.answer(requestor) }
    }

    /// The list of one requestor, if there is one.
    /// - Parameter rules: the degradation rules in force.
    func response(
        for name: String, _ format: WireFormat, _ rules: Degradations, now: Timestamp
    ) -> HTTPResponse? {
        guard let id = RequestorID(name), let requestor = self.catalogue.requestor(id) else { return nil }
        guard rules.rules.contains(where: { $0.requestor == id && $0.isActive(at: now) })
        else { return self.answer(requestor)[format] }
        let document = Self.document(requestor, self.catalogue, self.settings) { mvpd in
            rules.bypass(id, mvpd, at: now)
        }
        return PreparedAnswer(document, caching: Self.caching)[format]
    }

    private func answer(_ requestor: Requestor) -> PreparedAnswer {
        // First: what arrives meanwhile is another version.
        let version = self.settings.logos.version
        if let known = self.written.withLock({ $0[requestor.id] }), known.version == version { return known.answer }
        let document = Self.document(requestor, self.catalogue, self.settings)
        let answer = PreparedAnswer(document, caching: Self.caching, TransportSecurity(self.settings))
        self.written.withLock { $0[requestor.id] = Written(answer: answer, version: version) }
        return answer
    }

    static func document(
        _ requestor: Requestor, _ catalogue: Catalogue, _ settings: APISettings,
        bypass: (MVPDID) -> DegradationRule.Kind? = { _ in nil }
    ) -> WireDocument {
        let labels = settings.clientLabels
        let domains = requestor.domains.map { domain in
            WireValue.object(
                WireObject([
                    .init("name", .string(domain)),
                    .init("mvpdInitiated", .bool(requestor.mvpdInitiatedDomains.contains(domain))),
                ]))
        }
        let mvpds = catalogue.mvpds(of: requestor).map { mvpd in
            WireValue.object(
                Self.object(
                    mvpd, catalogue.integration(requestor.id, mvpd.id),
                    logo: settings.logoURL(of: mvpd, for: requestor.id), bypass: bypass(mvpd.id)))
        }
        let description = WireObject([
            .init("id", .string(requestor.id.text)), .init("name", .string(requestor.name)),
            .init("domains", .object(WireObject([.init("domain", .array(domains))]))),
            .init("mvpds", .object(WireObject([.init("mvpd", .array(mvpds))]))),
        ])
        return WireDocument(
            "config",
            WireObject([
                .init("device", .string(labels.device)), .init("clientType", .string(labels.clientType)),
                .init("os", .string(labels.os)), .init("requestor", .object(description)),
            ]))
    }

    /// One entry of the picker. Every flag is said: clients read a missing one as true.
    private static func object(
        _ mvpd: MVPD, _ integration: Integration?, logo: String, bypass: DegradationRule.Kind?
    ) -> WireObject {
        let picker = integration?.picker ?? PickerFacts()
        let frame: [WireObject.Member] =
            picker.iFrameRequired
            ? [("iFrameWidth", picker.iFrameWidth), ("iFrameHeight", picker.iFrameHeight)].compactMap { name, size in
                size.map { .init(name, .integer(Int64($0))) }
            } : []
        return WireObject(
            [
                .init("id", .string(mvpd.id.text)), .init("displayName", .string(mvpd.displayName)),
                .init("logoUrl", .string(logo)),
                .init("iFrameRequired", .bool(picker.iFrameRequired)),
            ] + frame + [
                .init("authPerAggregator", .bool(integration?.authPerAggregator ?? false)),
                .init("passiveAuthnEnabled", .bool(picker.passiveAuthnEnabled)),
                .init("authPerBrowserSession", .bool(picker.authPerBrowserSession)),
                .init("foregroundLogout", .bool(picker.foregroundLogout)),
                .init("isProxy", .bool(picker.isProxy || mvpd.proxy != nil)),
                .init("isTempPass", .bool(mvpd.trial != nil)),
            ] + (integration?.platform.map { self.platformMembers($0, of: mvpd.id) } ?? [])
                + self.metadata(mvpd, bypass),
            attributes: [.init("visible", "true")])
    }

    /// Platform SSO, left out where it is not configured.
    private static func platformMembers(_ platform: PlatformBoarding, of mvpd: MVPDID) -> [WireObject.Member] {
        var members: [WireObject.Member] = [.init("enablePlatformServices", .bool(platform.isEnabled))]
        if let status = platform.status { members.append(.init("boardingStatus", .string(status.rawValue))) }
        members.append(.init("displayInPlatformPicker", .bool(platform.isInPlatformPicker)))
        // The account of a box goes by its provider's own ID if no platform has another for it.
        if let id = platform.mappingID ?? (platform.takesBoxAccounts ? mvpd.text : nil) {
            members.append(.init("platformMappingId", .string(id)))
        }
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

    /// Other members that steer the library of a device: kinds of trials, and a bypass in force (access-enabler 4.1).
    private static func metadata(_ mvpd: MVPD, _ bypass: DegradationRule.Kind?) -> [WireObject.Member] {
        var members: [WireObject.Member] = []
        if mvpd.trial?.isPromotional == true { members.append(.init("promotional", .bool(true))) }
        if let bypass { members.append(.init("degradation", .string(bypass.measureID))) }
        return members.isEmpty ? [] : [.init("metadata", .object(WireObject(members)))]
    }
}

extension Degradations {
    /// The rule about all of a provider's resources that counts most for a device: login before authorization.
    fileprivate func bypass(_ requestor: RequestorID, _ mvpd: MVPDID, at now: Timestamp) -> DegradationRule.Kind? {
        let active = self.rules.filter {
            $0.isActive(at: now) && $0.resources.isEmpty && $0.covers(requestor, mvpd, resource: nil)
        }
        return DegradationRule.Kind.allCases.first { kind in active.contains { $0.kind == kind } }
    }
}
