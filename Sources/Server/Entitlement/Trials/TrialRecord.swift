package import Clientless

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
        guard all.count == self.identities.count || Self.isBounded(all) else { return .exhausted }
        let verdict = self.trial.use(resource, at: now, rules: rules)
        guard case .permit(let end) = verdict else { return verdict }
        self.identities = all
        self.keptUntil = end + Self.memory
        return verdict
    }

    private static func isBounded(_ identities: [TrialIdentity]) -> Bool {
        let devices = identities.count { if case .device = $0 { true } else { false } }
        return max(devices, identities.count - devices) <= self.maximumOfAKind
    }
}
