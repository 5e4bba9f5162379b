package import Clientless

/// What a trial is recognised by (rest-v1 20.1).
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

    /// Authorizes `resource` at `now` (``Trial/use(_:at:rules:)``), and says how long the trial is known from now on.
    mutating func use(_ resource: Resource, at now: Timestamp, rules: TrialRules) -> Trial.Verdict {
        let verdict = self.trial.use(resource, at: now, rules: rules)
        if case .permit(let end) = verdict { self.keptUntil = end + Self.memory }
        return verdict
    }
}
