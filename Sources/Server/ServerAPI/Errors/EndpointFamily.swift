/// The subject of an endpoint, as far as its errors differ from those of others (rest-v1 8.1, 8.3, 11–21).
package enum EndpointFamily: Hashable, Sendable {
    /// Registration codes (11).
    case registrationCode
    /// Sign-in, logout, platform SSO (13, 14, 18, 20.2, 21).
    case authentication
    /// `authorize` (15.1).
    case authorization
    /// `tokens/authz` (15.2).
    case storedAuthorization
    /// `tokens/media`, `mediatoken` (16).
    case mediaToken
    /// Both forms of `preauthorize` (17).
    case preauthorization
    /// `tokens/usermetadata` (19).
    case metadata

    /// Whether errors always carry `details` in JSON, `null` when there is nothing to say (8.1).
    var hasDetails: Bool {
        switch self {
        case .registrationCode, .authentication, .metadata: false
        case .authorization, .storedAuthorization, .mediaToken, .preauthorization: true
        }
    }

    /// Whether a missing sign-in is a condition the caller failed to meet; elsewhere it is a refusal (8.3, last lines).
    var isPreconditioned: Bool {
        switch self {
        case .storedAuthorization, .preauthorization, .metadata: true
        case .registrationCode, .authentication, .authorization, .mediaToken: false
        }
    }
}
