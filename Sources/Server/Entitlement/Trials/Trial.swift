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

/// The identity that a trial is recognised by (rest-v1 20.1).
package enum TrialIdentity: Hashable, Sendable {
    case device(DeviceHash)
    /// The keyed hash, 32 bytes, of what the programmer sent for a person.
    case person([UInt8])
}

/// A trial as the store keeps it. It survives logout and token deletion.
package struct TrialRecord: Hashable, Sendable {
    /// UUID text.
    package let id: String
    package let requestor: RequestorID
    package let mvpd: MVPDID
    /// Everything it was ever recognised by; finding any of them finds the trial.
    package var identities: [TrialIdentity]
    package var trial: Trial
    /// When it may be forgotten: long after its time is over, so that no one tries again under the same name; `nil`
    /// means never.
    package var keptUntil: Timestamp?
    /// Counts the changes, from 0 for one that is not stored yet; a swap names the version it read.
    package var version: Int

    package init(
        id: String, requestor: RequestorID, mvpd: MVPDID, identities: [TrialIdentity], trial: Trial,
        keptUntil: Timestamp? = nil, version: Int = 0
    ) {
        self.id = id
        self.requestor = requestor
        self.mvpd = mvpd
        self.identities = identities
        self.trial = trial
        self.keptUntil = keptUntil
        self.version = version
    }
}

extension TrialRecord {
    /// How long a trial is known after its time is over.
    private static let memory: Duration = .seconds(365 * 24 * 3600)

    /// The most devices, and the most persons, of one trial: a caller makes up as many as it likes.
    static let maximumOfAKind = 64

    /// Authorizes `resource` at `now` (``Trial/use(_:at:rules:)``) for a device and person, and says how long the trial is
    /// known from now on.
    /// - Returns: `exhausted` also when the trial has as many devices or persons as it may.
    mutating func use(
        _ resource: Resource, by identities: [TrialIdentity], at now: Timestamp, rules: TrialRules
    ) -> Trial.Verdict {
        let all = self.identities + identities.filter { !self.identities.contains($0) }
        let devices = all.count { if case .device = $0 { true } else { false } }
        guard
            all.count == self.identities.count || max(devices, all.count - devices) <= Self.maximumOfAKind
        else { return .exhausted }
        let verdict = self.trial.use(resource, at: now, rules: rules)
        guard case .permit(let end) = verdict else { return verdict }
        self.identities = all
        self.keptUntil = end + Self.memory
        return verdict
    }
}
