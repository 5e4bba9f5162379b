package import Clientless

/// The servers' answers about a requestor, put together (access-enabler 4.2, 6.4).
package struct RequestorConfiguration: Sendable {
    package let requestor: RequestorID
    /// All of the first responder in its order, then those of the second that are new, and so on.
    package let providers: [ProviderFacts]
    /// Takes the calls that concern no provider.
    package let firstResponder: ServiceProviderURL
    /// A registered domain, for login pages.
    package let domain: String
    package let deviceIDMetadataEnabled: Bool
    /// The most resources of one preauthorization, where a server says so.
    package let preauthorizationLimit: Int?

    /// - Parameter answers: in the order they arrived; where two differ the first counts.
    package init?(_ requestor: RequestorID, merging answers: [ServiceConfiguration]) {
        guard let first = answers.first else { return nil }
        var known: Set<String> = []
        self.requestor = requestor
        self.providers = answers.flatMap(\.providers).filter { known.insert($0.id).inserted }
        self.firstResponder = first.server
        self.domain = answers.compactMap(\.domain).first ?? "adobe.com"
        self.deviceIDMetadataEnabled = answers.compactMap(\.deviceIDMetadataEnabled).first ?? false
        self.preauthorizationLimit = answers.compactMap(\.preauthorizationLimit).first
    }

    package func provider(_ id: String) -> ProviderFacts? { self.providers.first { $0.id == id } }

    package func provider(platformID identifier: String) -> ProviderFacts? {
        self.providers.first { $0.platformMappingID == identifier }
    }

    /// The providers of the platform's dialog, brought into the filter's order (access-enabler 7.7, D-51).
    package func platformProviders(
        _ filter: AccessEnabler.ProviderFilter?
    ) -> (listed: [ProviderFacts], featured: [ProviderFacts]) {
        let capable = self.providers.filter(\.isPlatformCapable)
        func inOrder(_ ids: [String]) -> [ProviderFacts] {
            var seen: Set<String> = []
            return ids.compactMap { id in
                seen.insert(id).inserted ? capable.first { $0.id == id } : nil
            }
        }
        switch filter {
        case nil: return (capable, [])
        case .list(let ids): return (inOrder(ids), [])
        case .featured(let all, let featured):
            let listed = inOrder(all)
            return (listed, inOrder(featured).filter { listed.contains($0) })
        }
    }
}
