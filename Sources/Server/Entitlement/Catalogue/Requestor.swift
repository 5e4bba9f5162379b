package import Clientless

/// A channel brand of a programmer, and the rules its calls live under (rest-v1 9).
package struct Requestor: Sendable {
    /// How strictly calls of this requestor are read.
    package enum Strictness: String, CaseIterable, Sendable, Codable {
        /// The tolerant rules deployed clients need.
        case compatible
        /// A nonce once, verb and URI as called, device IDs hidden, the confirmation page always.
        case strict
    }

    package let id: RequestorID
    package var name: String
    /// Registered domains, for `domain_name` and `redirect_url` (rest-v1 13.1).
    package var domains: [String]
    /// Those of the domains whose logins a provider may begin (rest-v1 12).
    package var mvpdInitiatedDomains: Set<String> = []
    /// Registered redirect schemes other than http and https, such as `hcplayer`.
    package var redirectSchemes: [String]
    package var integrations: [Integration]
    package let strictness: Strictness
    /// Whether the viewer confirms the box after signing in, also where a foreign page began the login. Always true
    /// when strict.
    package let confirmsForeignLogins: Bool
    /// Replaces the device ID in the unauthenticated code record by an alias (rest-v1 11.2). Always true when strict.
    package let hidesDeviceID: Bool
    /// Error bodies carry the fields of rest-v1 8.3.
    package var usesEnhancedErrors: Bool
    /// The most resources one preauthorization may ask about (rest-v1 17).
    package var preauthorizationLimit: Int
    /// PEM certificates of the programmer for encrypted metadata, the primary first (rest-v1 19).
    package var metadataCertificates: [String]
    /// Whether an account may confirm a code that was read out over the telephone, for a relative elsewhere.
    package var takesReadOutCodes = false
    /// The page where people enter codes, when it is not this server's own.
    package var activationURL: String?

    package init(
        id: RequestorID, name: String, domains: [String] = [], redirectSchemes: [String] = [],
        integrations: [Integration], strictness: Strictness, confirmsForeignLogins: Bool = true,
        hidesDeviceID: Bool = false, usesEnhancedErrors: Bool = false, preauthorizationLimit: Int = 5,
        metadataCertificates: [String] = [], activationURL: String? = nil
    ) {
        self.id = id
        self.name = name
        self.domains = domains
        self.redirectSchemes = redirectSchemes
        self.integrations = integrations
        self.strictness = strictness
        self.confirmsForeignLogins = confirmsForeignLogins || strictness == .strict
        self.hidesDeviceID = hidesDeviceID || strictness == .strict
        self.usesEnhancedErrors = usesEnhancedErrors
        self.preauthorizationLimit = preauthorizationLimit
        self.metadataCertificates = metadataCertificates
        self.activationURL = activationURL
    }
}

/// A part of the country as an operator divides it, so that a picker shows first who serves the viewer.
package struct Region: Hashable, Sendable {
    package let name: String
    package let networks: [NetworkPrefix]
    /// The tags of languages that are asked for there alone, such as `de-at`; in lower case.
    package let languages: Set<String>

    package init(name: String, networks: [NetworkPrefix], languages: Set<String> = []) {
        self.name = name
        self.networks = networks
        self.languages = Set(languages.map { $0.lowercased() })
    }
}
