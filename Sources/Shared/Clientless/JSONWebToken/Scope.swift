/// What a registered application may do (rest-v1 10.5).
package enum Scope: String, CaseIterable, Codable, Sendable {
    case clientV1 = "api:client:v1"
    case clientV2 = "api:client:v2"
    case analytics = "analytics:client"
    case decisions = "decisions:owner"
    case temporaryPasses = "temporary:passes:owner"
    case degradation = "degradation:owner"
    /// Ours: what is kept of devices.
    case devices = "devices:owner"
    /// Ours: key pairs and applications.
    case credentials = "credentials:owner"

    /// The names, separated by spaces, always in the same order.
    package static func text(for scopes: Set<Scope>) -> String {
        Self.allCases.filter(scopes.contains).map(\.rawValue).joined(separator: " ")
    }

    /// Reads names separated by spaces; those that are not known are left out.
    package static func set(from text: some StringProtocol) -> Set<Scope> {
        Set(text.split(separator: " ").compactMap { Scope(rawValue: String($0)) })
    }
}
