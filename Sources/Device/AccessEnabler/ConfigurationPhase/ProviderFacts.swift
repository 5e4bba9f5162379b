/// A provider of the requestor with what steers the flows (access-enabler 4.1).
package struct ProviderFacts: Sendable, Hashable {
    /// A pseudo-provider that gives access without a subscription (access-enabler 9.12).
    enum Pass: Sendable, Hashable {
        case basic, promotional
    }

    /// A bypass the programmer switched on (access-enabler 9.13).
    enum Degradation: String, Sendable, Hashable {
        case authenticateAll = "authn-all"
        case authorizeAll = "authz-all"
        case authorizeNone = "authz-none"
    }

    package let mvpd: MVPD
    /// The server that gets every call about it (access-enabler 6.4).
    package let server: ServiceProviderURL
    private let wire: ServiceConfiguration.Provider

    package var id: String { self.mvpd.id }
    private var isInPlatformPicker: Bool { self.wire.displayInPlatformPicker ?? true }
    var platformMappingID: String? { self.wire.platformMappingId }
    var requiredMetadataFields: [String] { self.wire.requiredMetadataFields ?? [] }
    var authenticatesPerRequestor: Bool { self.wire.authPerAggregator ?? false }
    var supportsPassiveAuthentication: Bool { self.wire.passiveAuthnEnabled ?? false }
    var requiresSecureBrowser: Bool { self.wire.metadata?.secureBrowserRequired ?? false }
    var pass: Pass? {
        self.wire.isTempPass == true ? self.wire.metadata?.promotional == true ? .promotional : .basic : nil
    }
    var degradation: Degradation? { self.wire.metadata?.degradation.flatMap { Degradation(rawValue: $0) } }
    /// Whether a sign-in may be shared with, or taken over from, others.
    var allowsSingleSignOn: Bool { self.wire.metadata?.singleSignOn ?? true }

    /// Listed in the platform's dialog (access-enabler 10.4), which knows it by its platform ID.
    var isPlatformCapable: Bool {
        self.mvpd.enablePlatformServices && self.mvpd.boardingStatus != nil && self.isInPlatformPicker
            && self.platformMappingID != nil
    }

    /// Its choice, or its account, may be used by this requestor; otherwise it is unsupported (access-enabler 10.6).
    var takesPartInPlatform: Bool {
        self.mvpd.enablePlatformServices && self.mvpd.boardingStatus != nil && self.allowsSingleSignOn
    }

    /// The platform's own sign-in may be exchanged (access-enabler 10.5, conditions 5 and 6).
    var allowsExchange: Bool {
        self.mvpd.enablePlatformServices && self.mvpd.boardingStatus == .supported && self.allowsSingleSignOn
            && self.degradation == nil
    }

    /// Signs in without the viewer.
    var isImmediate: Bool { self.pass != nil || self.degradation == .authenticateAll }

    init(_ wire: ServiceConfiguration.Provider, server: ServiceProviderURL) {
        self.mvpd = MVPD(
            id: wire.id, displayName: wire.displayName ?? wire.id, logoURL: wire.logoUrl ?? "",
            enablePlatformServices: wire.enablePlatformServices ?? false,
            boardingStatus: wire.boardingStatus.flatMap { MVPD.BoardingStatus(rawValue: $0) })
        self.server = server
        self.wire = wire
    }
}
