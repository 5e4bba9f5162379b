/// A right of a registered application (rest-v1 10.5).
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

    /// The names that statements in the field carry; all of them together mean ``clientV1`` (rest-v1 10.5).
    private static let fieldNames: Set<String> = [
        "config:client", "decisions:client", "platform:sso", "profile:client", "tokens:client",
    ]

    /// Reads names with spaces or commas between them; those that are not known are left out.
    package static func set(from text: some StringProtocol) -> Set<Scope> { self.set(of: self.names(in: text)) }

    /// The scopes of these names; those that are not known are left out.
    package static func set(of names: [String]) -> Set<Scope> {
        var scopes = Set(names.compactMap { Scope(rawValue: $0) })
        if self.fieldNames.isSubset(of: names) { scopes.insert(.clientV1) }
        return scopes
    }

    /// The names of a text that has spaces or commas between them.
    package static func names(in text: some StringProtocol) -> [String] {
        text.split { $0 == " " || $0 == "," }.map { String($0) }
    }

    /// Whether `name` means something, alone or with others.
    package static func isKnown(_ name: String) -> Bool {
        Scope(rawValue: name) != nil || self.fieldNames.contains(name)
    }
}
