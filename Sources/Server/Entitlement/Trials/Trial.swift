package import Clientless

/// One trial as a value: when it began and what was watched (rest-v1 20.1).
package struct Trial: Hashable, Sendable {
    package enum Verdict: Hashable, Sendable {
        case permit(expires: Timestamp)
        /// Time or resources are used up.
        case exhausted
    }

    /// The first authorization; `nil` before it.
    package private(set) var firstUse: Timestamp?
    /// Distinct resources in the order of their first authorization.
    package private(set) var resources: [Resource]

    package init(firstUse: Timestamp? = nil, resources: [Resource] = []) {
        self.firstUse = firstUse
        self.resources = resources
    }

    /// When the trial ends, or would end if it were used at `now`.
    package func expires(at now: Timestamp, rules: TrialRules) -> Timestamp { (self.firstUse ?? now) + rules.lifetime }

    /// How many further resources a promotional trial has; `nil` if the number is not limited.
    package func remainingResources(rules: TrialRules) -> Int? {
        rules.maximumResources.map { max(0, $0 - self.resources.count) }
    }

    /// The verdict that authorizing `resource` at `now` would give, without counting it.
    package func verdict(on resource: Resource, at now: Timestamp, rules: TrialRules) -> Verdict {
        let end = self.expires(at: now, rules: rules)
        guard now < end else { return .exhausted }
        if self.resources.contains(resource) { return .permit(expires: end) }
        // The texts are kept for a year, and a stranger chooses them.
        let size = self.resources.reduce(resource.received.utf8.count) { $0 + $1.received.utf8.count }
        let isFull = self.remainingResources(rules: rules) == 0 || size > Resource.maximumLength
        return isFull ? .exhausted : .permit(expires: end)
    }

    /// Authorizes `resource` at `now`: the first time starts the clock, each new resource counts once.
    package mutating func use(_ resource: Resource, at now: Timestamp, rules: TrialRules) -> Verdict {
        let verdict = self.verdict(on: resource, at: now, rules: rules)
        guard case .permit = verdict else { return verdict }
        self.firstUse = self.firstUse ?? now
        if rules.maximumResources != nil, !self.resources.contains(resource) { self.resources.append(resource) }
        return verdict
    }
}

/// How a TempPass works: a provider without accounts that lets a device or a person try (rest-v1 20.1).
package struct TrialRules: Hashable, Sendable {
    /// From the first authorization, watched or not.
    package let lifetime: Duration
    /// The most distinct resources of a promotional trial; `nil` means any number.
    package let maximumResources: Int?
    /// The key of `generic_data` that names the person, for a promotional trial; `nil` for a basic one.
    package let identityKey: String?

    package init(lifetime: Duration, maximumResources: Int? = nil, identityKey: String? = nil) {
        self.lifetime = lifetime
        self.maximumResources = maximumResources
        self.identityKey = identityKey
    }

    package var isPromotional: Bool { self.identityKey != nil }
}
