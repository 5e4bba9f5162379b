/// How a TempPass works: a provider without accounts that lets a device or a person try (rest-v1 20.1).
package struct TrialRules: Hashable, Sendable {
    /// From the first authorization, watched or not.
    package let lifetime: Duration
    /// The most distinct resources of a promotional trial; none means any number.
    package let maximumResources: Int?
    /// The key of `generic_data` that names the person, for a promotional trial; none for a basic one.
    package let identityKey: String?

    package init(lifetime: Duration, maximumResources: Int? = nil, identityKey: String? = nil) {
        self.lifetime = lifetime
        self.maximumResources = maximumResources
        self.identityKey = identityKey
    }

    package var isPromotional: Bool { self.identityKey != nil }
}
