import Clientless
import Entitlement

/// ``StoreModel`` for what operators see: trials, degradation rules, the audit log.
struct OperationModel {
    private(set) var trials: [TrialRecord] = []
    private var rules: [DegradationRule] = []
    /// The newest first.
    private(set) var entries: [AuditEntry] = []
    private var changes: Set<StoreChange> = []

    mutating func takeChanges() -> Set<StoreChange> {
        defer { self.changes = [] }
        return self.changes
    }

    mutating func log(_ entry: AuditEntry) { self.entries.insert(entry, at: 0) }

    func trial(of identities: [TrialIdentity], requestor: RequestorID, mvpd: MVPDID) -> TrialRecord? {
        let trials = self.trials.filter { $0.requestor == requestor && $0.mvpd == mvpd }
        return identities.lazy.compactMap { identity in trials.first { $0.identities.contains(identity) } }.first
    }

    mutating func replace(_ record: TrialRecord) -> Bool {
        var kept = record
        kept.version += 1
        let others = self.trials.filter {
            $0.id != record.id && $0.requestor == record.requestor && $0.mvpd == record.mvpd
        }.flatMap(\.identities)
        kept.identities = record.identities.reduce(into: []) { own, identity in
            if !others.contains(identity), !own.contains(identity) { own.append(identity) }
        }
        guard record.version > 0 else {
            guard self.trial(of: record.identities, requestor: record.requestor, mvpd: record.mvpd) == nil,
                !self.trials.contains(where: { $0.id == record.id })
            else { return false }
            self.trials.append(kept)
            return true
        }
        guard let place = self.trials.firstIndex(where: { $0.id == record.id && $0.version == record.version })
        else { return false }
        self.trials[place] = kept
        return true
    }

    mutating func resetTrials(of identity: TrialIdentity?, requestor: RequestorID, mvpd: MVPDID) -> Int {
        let before = self.trials.count
        self.trials.removeAll {
            $0.requestor == requestor && $0.mvpd == mvpd && (identity.map($0.identities.contains) ?? true)
        }
        return before - self.trials.count
    }

    mutating func save(_ rules: [DegradationRule]) -> Bool {
        for rule in rules {
            guard (self.rules.first { $0.id == rule.id }?.version ?? 0) == rule.version else { return false }
        }
        for rule in rules {
            self.rules.removeAll { $0.id == rule.id }
            var kept = rule
            kept.version += 1
            self.rules.append(kept)
            self.changes.insert(.degradation)
        }
        return true
    }

    func version(ofRule id: String) -> Int { self.rules.first { $0.id == id }?.version ?? 0 }

    func rules(endingAfter moment: Timestamp) -> [DegradationRule] {
        self.rules.filter { moment < $0.ends }.sorted { ($0.activation, $0.id) < ($1.activation, $1.id) }
    }

    mutating func purge(now: Timestamp) {
        self.rules.removeAll { $0.ends + .seconds(30 * 24 * 3600) <= now }
        self.trials.removeAll { $0.keptUntil.map { $0 <= now } ?? false }
    }
}
