/// The configuration of a requestor as a server answers it (rest-v1 12), as far as the library reads it.
package struct ServiceConfiguration: Decodable, Sendable {
    struct Requestor: Decodable, Sendable {
        struct Providers: Decodable, Sendable {
            let mvpd: [Provider]
        }

        struct Domains: Decodable, Sendable {
            struct Domain: Decodable, Sendable {
                let name: String
            }

            let domain: [Domain]
        }

        let id: String?
        let domains: Domains?
        let mvpds: Providers
        /// Settings of the operator that rest-v1 12 leaves open.
        let metadata: Metadata?
    }

    /// Extensions of the requestor; a missing one is off.
    struct Metadata: Decodable, Sendable {
        let deviceIdEnabled: Bool?
        let preauthorizationLimit: Int?
    }

    struct Provider: Decodable, Hashable, Sendable {
        /// Extensions of the provider; a missing one is off.
        struct Metadata: Decodable, Hashable, Sendable {
            let promotional: Bool?
            let secureBrowserRequired: Bool?
            /// `authn-all`, `authz-all` or `authz-none` while such a rule is in force (rest-v1 25).
            let degradation: String?
            /// False when single sign-on between requestors is switched off for the integration.
            let singleSignOn: Bool?
        }

        let id: String
        let displayName: String?
        let logoUrl: String?
        let authPerAggregator: Bool?
        let passiveAuthnEnabled: Bool?
        let isTempPass: Bool?
        let enablePlatformServices: Bool?
        let boardingStatus: String?
        let displayInPlatformPicker: Bool?
        let platformMappingId: String?
        let requiredMetadataFields: [String]?
        let metadata: Metadata?
    }

    let requestor: Requestor
}
