/// Why a provider answers without an assertion, as far as it makes a difference here (SAML 2.0 Core 3.2.2.2).
package enum SAMLStatus: String, Hashable, Sendable, CaseIterable {
    case authnFailed = "AuthnFailed"
    case requestDenied = "RequestDenied"
    case unknownPrincipal = "UnknownPrincipal"
    case noPassive = "NoPassive"
    case other = "with an error"

    private static let prefix = "urn:oasis:names:tc:SAML:2.0:status:"
    private static let success = "\(prefix)Success"

    /// - Returns: `nil` for success.
    init?(of response: XMLElement) {
        let outer = response.onlyChild(.protocolElement("Status"))?.onlyChild(.protocolElement("StatusCode"))
        guard outer?[attribute: "Value"] != Self.success else { return nil }
        let inner = outer?.onlyChild(.protocolElement("StatusCode"))
        let codes = [inner, outer].compactMap { $0?[attribute: "Value"] }
        self =
            codes.lazy.compactMap { code in
                Self.allCases.first { "\(Self.prefix)\($0.rawValue)" == code }
            }.first ?? .other
    }
}
