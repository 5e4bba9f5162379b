import Clientless
import Entitlement
import HTTPServer
import Synchronization

/// The provider lists of all requestors, written once for as long as they say the same: they change with the
/// configuration, with the logos that arrive, and for as long as a provider is bypassed (rest-v1 12, 25).
final class ConfigurationDocuments: Sendable {
    /// Clients may keep it for minutes (rest-v1 3.6).
    private static let caching = "max-age=300"

    /// Each list, and the version of the logos that it has.
    private let written = Mutex<[String: (answer: PreparedAnswer, version: Int)]>([:])
    private let catalogue: Catalogue
    private let settings: APISettings

    init(_ catalogue: Catalogue, _ settings: APISettings) {
        self.catalogue = catalogue
        self.settings = settings
        let version = settings.logos.version
        for requestor in catalogue.requestors { _ = self.write(requestor, version) }
    }

    /// The list of one requestor, if there is one.
    func response(for name: String, _ format: WireFormat, _ rules: Degradations, now: Timestamp) -> HTTPResponse? {
        // First: what arrives meanwhile is another version.
        let version = self.settings.logos.version
        if rules.rules.isEmpty, let known = self.known(name, version) { return known[format] }
        guard let id = RequestorID(name), let requestor = self.catalogue.requestor(id) else { return nil }
        guard rules.rules.contains(where: { $0.requestor == id && $0.isActive(at: now) })
        else { return (self.known(name, version) ?? self.write(requestor, version))[format] }
        let document = Self.document(requestor, self.catalogue, self.settings) { mvpd in
            rules.bypass(id, mvpd, at: now)
        }
        return PreparedAnswer(document, caching: Self.caching)[format]
    }

    private func known(_ name: String, _ version: Int) -> PreparedAnswer? {
        guard let known = self.written.withLock({ $0[name] }), known.version == version else { return nil }
        return known.answer
    }

    private func write(_ requestor: Requestor, _ version: Int) -> PreparedAnswer {
        let document = Self.document(requestor, self.catalogue, self.settings)
        let answer = PreparedAnswer(document, caching: Self.caching, TransportSecurity(self.settings))
        self.written.withLock { $0[requestor.id.text] = (answer, version) }
        return answer
    }

    static func document(
        _ requestor: Requestor, _ catalogue: Catalogue, _ settings: APISettings,
        bypass: (MVPDID) -> DegradationRule.Kind? = { _ in nil }
    ) -> WireDocument {
        let entries = catalogue.mvpds(of: requestor).map { mvpd in
            Entry(
                mvpd: mvpd, integration: catalogue.integration(requestor.id, mvpd.id),
                logo: settings.logoURL(of: mvpd, for: requestor.id), bypass: bypass(mvpd.id))
        }
        let list = List(labels: settings.clientLabels, requestor: requestor, entries: entries)
        return WireDocument("config", self.shape, list)
    }
}

extension ConfigurationDocuments {
    private struct List: Sendable {
        let labels: APISettings.ClientLabels
        let requestor: Requestor
        let entries: [Entry]

        var domains: [(name: String, isInitiatedByProvider: Bool)] {
            self.requestor.domains.map { ($0, self.requestor.mvpdInitiatedDomains.contains($0)) }
        }
    }

    /// A provider in the picker of a requestor.
    private struct Entry: Sendable {
        let mvpd: MVPD
        let integration: Integration?
        let logo: String
        let bypass: DegradationRule.Kind?

        var picker: PickerFacts { self.integration?.picker ?? PickerFacts() }
        /// Platform SSO, left out where it is not configured.
        var platform: PlatformBoarding? { self.integration?.platform }
        var fields: [String]? { self.platform.map(\.requiredMetadataFields).flatMap { $0.isEmpty ? nil : $0 } }
        /// The account of a box goes by its provider's own ID if no platform has another for it.
        var mappingID: String? {
            self.platform.flatMap { $0.mappingID ?? ($0.takesBoxAccounts ? self.mvpd.id.text : nil) }
        }
        var isPromotional: Bool? { self.mvpd.trial?.isPromotional == true ? true : nil }
    }

    /// The members that steer the library of a device: kinds of trials, and a bypass in force (access-enabler 4.1).
    private static let steering = Shape<Entry>(
        .init("promotional", optional: \.isPromotional),
        .init("degradation", optional: \.bypass?.measureID, .choice("authn-all", "authz-all", "authz-none")))

    /// Every flag is said: clients read a missing one as true.
    private static let provider = Shape<Entry>(
        .init("id", \.mvpd.id, APIField.mvpdName.described("The value for `mso_id`.")),
        .init("displayName", \.mvpd.displayName, .text(1...1000)), .init("logoUrl", \.logo, .text(1...4096)),
        .init("iFrameRequired", \.picker.iFrameRequired),
        .init("iFrameWidth", optional: { $0.picker.iFrameRequired ? $0.picker.iFrameWidth : nil }),
        .init("iFrameHeight", optional: { $0.picker.iFrameRequired ? $0.picker.iFrameHeight : nil }),
        .init("authPerAggregator") { $0.integration?.authPerAggregator ?? false },
        .init("passiveAuthnEnabled", \.picker.passiveAuthnEnabled),
        .init("authPerBrowserSession", \.picker.authPerBrowserSession),
        .init("foregroundLogout", \.picker.foregroundLogout),
        .init("isProxy") { $0.picker.isProxy || $0.mvpd.proxy != nil }, .init("isTempPass") { $0.mvpd.trial != nil },
        .init("enablePlatformServices", optional: \.platform?.isEnabled),
        .init("boardingStatus", optional: \.platform?.status?.rawValue, .choice("SUPPORTED", "PICKER")),
        .init("displayInPlatformPicker", optional: \.platform?.isInPlatformPicker),
        .init("platformMappingId", optional: \.mappingID),
        .init("requiredMetadataFields", optional: \.fields).inJSON,
        .init("requiredMetadataFields", Shape(.init("field", \.self)), optional: \.fields).inXML,
        .init("enforcePlatformPermissions", optional: \.platform?.enforcesPermissions),
        .init("metadata", steering, optional: { $0.isPromotional == nil && $0.bypass == nil ? nil : $0 }),
        .init("@visible", { _ in "true" }, .flag).inXML)

    private static let domain = Shape<(name: String, isInitiatedByProvider: Bool)>(
        .init("name", \.name, .text(1...253)), .init("mvpdInitiated", \.isInitiatedByProvider))

    private static let requestor = Shape<List>(
        .init("id", \.requestor.id), .init("name", \.requestor.name, .text(1...1000)),
        .init("domains", Shape(.init("domain", of: domain, \.domains)), \.self),
        .init("mvpds", Shape(.init("mvpd", of: provider, \.entries, .named("Provider"))), \.self).inJSON,
        .init("mvpds", Shape(.init("mvpd", of: provider, \.entries, .named("ProviderElement"))), \.self).inXML)

    private static let shape = Shape<List>(
        .init("device", \.labels.device), .init("clientType", \.labels.clientType), .init("os", \.labels.os),
        .init("requestor", requestor, \.self))

    static let schemas: APIDescription.NamedSchemas = [
        "Configuration": shape.schema(.json), "Provider": provider.schema(.json),
        "ConfigurationDocument": shape.schema(.xml).element("config"), "ProviderElement": provider.schema(.xml),
    ]
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
