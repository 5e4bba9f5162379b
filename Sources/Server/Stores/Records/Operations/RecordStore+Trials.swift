package import Clientless
package import Entitlement

extension RecordStore {
    package func trial(
        of identities: [TrialIdentity], requestor: RequestorID, mvpd: MVPDID
    ) async throws(StoreError) -> TrialRecord? {
        try await self.snapshot { (session) throws(Failure) -> TrialRecord? in
            for identity in identities {
                guard let id = try session.trial(of: identity, requestor, mvpd) else { continue }
                return try session.trial(id)
            }
            return nil
        }
    }

    package func replace(_ record: TrialRecord) async throws(StoreError) -> Bool {
        try await self.write(record.subjects) { (session) throws(Failure) in try session.keep(record) }
    }

    package func replace(
        _ record: TrialRecord, keeping permit: AuthZRecord, limit: Int
    ) async throws(StoreError) -> TrialUse {
        try await self.write(record.subjects + [.signIn(permit.authentication)]) { (session) throws(Failure) in
            // Both are known to be kept before either is changed: the sign-in cannot go from here on.
            guard
                try session.finds(
                    """
                    SELECT id FROM latchkey.authentications WHERE id = \(permit.authentication)\(raw: Self.dialect.keyShare)
                    """)
            else { return .signedOut }
            guard try session.keep(record) else { return .outdated }
            try session.run(Self.keeping(permit, limit: limit))
            return .kept
        }
    }

    package func resetTrials(
        of identity: TrialIdentity?, requestor: RequestorID, mvpd: MVPDID, limit: Int, audit: AuditEntry?
    ) async throws(StoreError) -> Int {
        let subjects = identity.map { [$0.subject(requestor, mvpd)] } ?? []
        return try await self.write(subjects) { (session) throws(Failure) in
            try session.log(audit)
            guard let identity else {
                return try session.run(
                    """
                    DELETE FROM latchkey.trials WHERE id IN (SELECT id FROM latchkey.trials
                        WHERE requestor = \(requestor) AND mvpd = \(mvpd) ORDER BY id LIMIT \(max(limit, 0)))
                    """)
            }
            guard let id = try session.trial(of: identity, requestor, mvpd) else { return 0 }
            return try session.run("DELETE FROM latchkey.trials WHERE id = \(id)")
        }
    }
}

extension RecordSession {
    fileprivate func trial(
        of identity: TrialIdentity, _ requestor: RequestorID, _ mvpd: MVPDID
    ) throws(Row.Failure) -> String? {
        let values = TrialIdentityColumns.values(of: identity)
        return try self.first(
            """
            SELECT trial FROM latchkey.trial_identities
                WHERE requestor = \(requestor) AND mvpd = \(mvpd) AND kind = \(values[0]) AND hash = \(values[1])
            """
        ) { (row) throws(Row.Failure) in try row.text() }
    }

    fileprivate func trial(_ id: String) throws(Row.Failure) -> TrialRecord? {
        let identities = try self.all(
            "SELECT kind, hash FROM latchkey.trial_identities WHERE trial = \(id) ORDER BY place",
            TrialIdentityColumns.identity(from:))
        let resources = try self.all(
            "SELECT resource FROM latchkey.trial_resources WHERE trial = \(id) ORDER BY place"
        ) { (row) throws(Row.Failure) -> Resource in try row.value() }
        return try self.first("SELECT \(TrialColumn.self) FROM latchkey.trials WHERE id = \(id)") {
            (row) throws(Row.Failure) in
            try TrialColumn.record(from: &row, identities: identities, resources: resources)
        }
    }

    fileprivate func keep(_ record: TrialRecord) throws(Row.Failure) -> Bool {
        guard try self.swap(record) else { return false }
        try self.keepIdentities(of: record)
        try self.run(
            ["DELETE FROM latchkey.trial_resources WHERE trial = \(record.id)"]
                + SQL.list(
                    record.trial.resources.map(\.text), in: "trial_resources (trial, place, resource)", of: record.id))
        return true
    }

    private func keepIdentities(of record: TrialRecord) throws(Row.Failure) {
        let stored = try self.all(
            "SELECT place, kind, hash FROM latchkey.trial_identities WHERE trial = \(record.id) ORDER BY place"
        ) { (row) throws(Row.Failure) in
            (place: try row.integer(), identity: try TrialIdentityColumns.identity(from: &row))
        }
        let change = TrialIdentityChange(to: record, from: stored)
        if !change.isExtension { try self.run("DELETE FROM latchkey.trial_identities WHERE trial = \(record.id)") }
        // One that is in another trial stays there: a device tries once, with any person it tries later.
        try self.run(
            change.rows.map { row in
                """
                INSERT INTO latchkey.trial_identities (requestor, mvpd, kind, hash, trial, place)
                    VALUES (\(row)) ON CONFLICT (requestor, mvpd, kind, hash) DO NOTHING
                """
            })
    }

    /// Swaps in the trial itself, without its identities and resources.
    private func swap(_ record: TrialRecord) throws(Row.Failure) -> Bool {
        guard record.version == 0 else {
            return try self.run(
                """
                UPDATE latchkey.trials SET first_use = \(record.trial.firstUse), kept_until = \(record.keptUntil),
                    version = version + 1 WHERE id = \(record.id) AND version = \(record.version)
                """) == 1
        }
        for identity in record.identities
        where try self.trial(of: identity, record.requestor, record.mvpd) != nil { return false }
        var kept = record
        kept.version += 1
        return try self.run(TrialColumn.insertion(of: kept)) == 1
    }
}

extension TrialRecord {
    /// The trial and all that it is recognised by.
    fileprivate var subjects: [SubjectKey] {
        [.named(.trial, self.id)] + self.identities.map { $0.subject(self.requestor, self.mvpd) }
    }
}

extension TrialIdentity {
    fileprivate func subject(_ requestor: RequestorID, _ mvpd: MVPDID) -> SubjectKey {
        let (kind, hash) =
            switch self {
            case .device(let device): (0, device.bytes)
            case .person(let hash): (1, hash)
            }
        return SubjectKey(.trial, Array("\(requestor.text)/\(mvpd.text)/\(kind)/".utf8) + hash)
    }
}
