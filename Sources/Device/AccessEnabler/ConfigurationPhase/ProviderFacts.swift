import Clientless

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
    private let isInPlatformPicker: Bool
    let platformMappingID: String?
    let requiredMetadataFields: [String]
    let authenticatesPerRequestor: Bool
    let supportsPassiveAuthentication: Bool
    let requiresSecureBrowser: Bool
    let pass: Pass?
    let degradation: Degradation?
    /// Whether a sign-in may be shared with, or taken over from, others.
    let allowsSingleSignOn: Bool

    package var id: String { self.mvpd.id }

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

    /// - Returns: `nil` without an ID. Anything else that is missing is off, but single sign-on and the place in the picker.
    init?(_ json: JSONValue, server: ServiceProviderURL) {
        func text(_ name: String) -> String? { json[name]?.string }
        func flag(_ name: String) -> Bool? { json[name]?.boolean }
        func extra(_ name: String) -> Bool? { json["metadata"]?[name]?.boolean }
        guard let id = text("id") else { return nil }
        self.mvpd = MVPD(
            id: id, displayName: text("displayName") ?? id, logoURL: text("logoUrl") ?? "",
            enablePlatformServices: flag("enablePlatformServices") ?? false,
            boardingStatus: text("boardingStatus").flatMap { MVPD.BoardingStatus(rawValue: $0) })
        self.server = server
        self.isInPlatformPicker = flag("displayInPlatformPicker") ?? true
        self.platformMappingID = text("platformMappingId")
        self.requiredMetadataFields = json["requiredMetadataFields"]?.texts ?? []
        self.authenticatesPerRequestor = flag("authPerAggregator") ?? false
        self.supportsPassiveAuthentication = flag("passiveAuthnEnabled") ?? false
        self.requiresSecureBrowser = extra("secureBrowserRequired") ?? false
        self.pass = flag("isTempPass") == true ? (extra("promotional") == true ? .promotional : .basic) : nil
        // While such a rule is in force (rest-v1 25).
        self.degradation = json["metadata"]?["degradation"]?.string.flatMap { Degradation(rawValue: $0) }
        self.allowsSingleSignOn = extra("singleSignOn") ?? true
    }
}
