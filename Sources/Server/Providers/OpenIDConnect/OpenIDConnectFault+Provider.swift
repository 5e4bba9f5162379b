import Entitlement
import OpenIDConnect

extension ProviderError {
    /// A fault, as the domain tells them apart.
    init(_ fault: OpenIDConnectFault) {
        let kind: ProviderError.Kind =
            switch fault.trouble {
            // A stranger must not be able to shut a provider, nor to ring an operator's bell.
            case .unreachable: fault.step == .authorization ? .refused : .unreachable
            case .misconfigured: fault.step == .authorization ? .refused : .misconfigured
            // Only a browser's answer is a no of the viewer; anywhere else it proves nothing.
            case .untrusted, .declined, .loginRequired: .unproven
            case .ended: .sessionOver
            }
        self.init(kind, detail: "\(fault)")
    }
}

extension ProviderRefusal {
    /// The meaning of a fault for the viewer; `nil` for one that is no refusal.
    init?(_ fault: OpenIDConnectFault) {
        switch fault.trouble {
        case .declined: self.init(.declined)
        case .loginRequired: self.init(.needsViewer)
        case .unreachable, .misconfigured, .untrusted, .ended: return nil
        }
    }
}
