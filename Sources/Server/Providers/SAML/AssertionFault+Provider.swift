import Entitlement

/// A fault of a client of providers, as the domain tells them apart.
protocol ProviderFault: Error {
    var kind: ProviderError.Kind { get }
}

extension ProviderError {
    init(_ fault: some ProviderFault) { self.init(fault.kind, detail: "\(fault)") }

    /// Asks the provider; a fault becomes the domain's.
    static func asking<Value, Fault: ProviderFault>(
        _ question: () async throws(Fault) -> Value
    ) async throws(ProviderError) -> Value {
        do throws(Fault) { return try await question() } catch { throw ProviderError(error) }
    }
}

extension AssertionFault: ProviderFault {
    var kind: ProviderError.Kind { self.trouble }
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
