import Entitlement

extension ProviderError {
    /// A fault of SAML, as the domain tells them apart.
    init(_ fault: AssertionFault) { self.init(fault.trouble, detail: "\(fault)") }
}

extension Entitlement.ProviderRefusal {
    /// The meaning of a provider's answer for the viewer; `nil` for one that is no refusal.
    init?(_ fault: AssertionFault) {
        guard let status = fault.status else { return nil }
        switch status {
        case .noPassive: self.init(.needsViewer)
        case .authnFailed: self.init(.declined)
        case .requestDenied, .unknownPrincipal: self.init(.denied)
        case .other: return nil
        }
    }
}
