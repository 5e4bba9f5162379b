package import Clientless

/// The configuration of a requestor as a server answers it (rest-v1 12), as far as the library reads it.
package struct ServiceConfiguration: Sendable {
    let server: ServiceProviderURL
    let providers: [ProviderFacts]
    /// The first registered domain.
    let domain: String?
    // Settings of the operator that rest-v1 12 leaves open.
    let deviceIDMetadataEnabled: Bool?
    let preauthorizationLimit: Int?

    /// - Returns: `nil` without a list of providers, or if one has no ID.
    package init?(_ json: JSONValue, of server: ServiceProviderURL) {
        let requestor = json["requestor"]
        guard let list = requestor?["mvpds"]?["mvpd"]?.array else { return nil }
        self.server = server
        self.providers = list.compactMap { ProviderFacts($0, server: server) }
        self.domain = requestor?["domains"]?["domain"]?.array?.first?["name"]?.string
        self.deviceIDMetadataEnabled = requestor?["metadata"]?["deviceIdEnabled"]?.boolean
        self.preauthorizationLimit = requestor?["metadata"]?["preauthorizationLimit"]?.integer.map { Int(clamping: $0) }
        guard self.providers.count == list.count else { return nil }
    }
}
