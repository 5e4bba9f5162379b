package import Clientless
package import Entitlement
import StoreRecords

extension PostgresStore {
    package func trial(
        of identities: [TrialIdentity], requestor: RequestorID, mvpd: MVPDID
    ) async throws(StoreError) -> TrialRecord? {
        try await self.snapshot { (session) throws(PostgresFailure) -> TrialRecord? in
            for identity in identities {
                guard let id = try Self.trial(of: identity, requestor, mvpd, on: session) else { continue }
                return try Self.trial(id, on: session)
            }
            return nil
        }
    }

    /// The ID of the trial an identity is in.
    private static func trial(
        of identity: TrialIdentity, _ requestor: RequestorID, _ mvpd: MVPDID, on session: Session
    ) throws(PostgresFailure) -> String? {
        try session.first(
            """
            SELECT trial FROM latchkey.trial_identities WHERE requestor = $1 AND mvpd = $2 AND kind = $3 AND hash = $4
            """, [.text(requestor.text), .text(mvpd.text)] + TrialIdentityColumns.values(of: identity)
        ) { (row) throws(PostgresFailure) in try row.text() }
    }

    private static func trial(
        _ id: String, on session: Session
    ) throws(PostgresFailure) -> TrialRecord? {
        let identities = try session.all(
            "SELECT kind, hash FROM latchkey.trial_identities WHERE trial = $1 ORDER BY place", [.text(id)],
            TrialIdentityColumns.identity(from:))
        let resources = try session.all(
            "SELECT resource FROM latchkey.trial_resources WHERE trial = $1 ORDER BY place", [.text(id)]
        ) { (row) throws(PostgresFailure) in try row.resource() }
        return try session.first("SELECT \(TrialColumn.names) FROM latchkey.trials WHERE id = $1", [.text(id)]) {
            (row) throws(PostgresFailure) in
            try TrialColumn.record(from: &row, identities: identities, resources: resources)
        }
    }

    package func replace(_ record: TrialRecord) async throws(StoreError) -> Bool {
        try await self.write(Self.subjects(of: record)) { (session) throws(PostgresFailure) -> Bool in
            try Self.keep(record, on: session)
        }
    }

    package func replace(
        _ record: TrialRecord, keeping permit: AuthZRecord, limit: Int
    ) async throws(StoreError) -> TrialUse {
        let subjects = Self.subjects(of: record) + [.signIn(permit.authentication)]
        return try await self.write(subjects) { (session) throws(PostgresFailure) -> TrialUse in
            // Nothing is changed before both are known to be kept: the sign-in cannot go from here on.
            let found = try session.first(
                "SELECT id FROM latchkey.authentications WHERE id = $1 FOR KEY SHARE",
                [.text(permit.authentication.text)]
            ) { (row) throws(PostgresFailure) in try row.text() }
            guard found != nil else { return .signedOut }
            guard try Self.keep(record, on: session) else { return .outdated }
            for ticket in try Self.begin(keeping: permit, limit: limit, on: session) {
                _ = try session.count(of: ticket)
            }
            return .kept
        }
    }

    /// The trial and all that it is recognised by.
    private static func subjects(of record: TrialRecord) -> [SubjectKey] {
        [.named(.trial, record.id)]
            + record.identities.map { self.subject($0, record.requestor, record.mvpd) }
    }

    private static func subject(
        _ identity: TrialIdentity, _ requestor: RequestorID, _ mvpd: MVPDID
    ) -> SubjectKey {
        switch identity {
        case .device(let device): SubjectKey(.trial, Array("\(requestor.text)/\(mvpd.text)/0/".utf8) + device.bytes)
        case .person(let hash): SubjectKey(.trial, Array("\(requestor.text)/\(mvpd.text)/1/".utf8) + hash)
        }
    }

    private static func keep(_ record: TrialRecord, on session: Session) throws(PostgresFailure) -> Bool {
        guard try self.swap(record, on: session) else { return false }
        try self.keepIdentities(of: record, on: session)
        try session.run("DELETE FROM latchkey.trial_resources WHERE trial = $1", [.text(record.id)])
        for (place, resource) in record.trial.resources.enumerated() {
            try session.run(
                "INSERT INTO latchkey.trial_resources (trial, place, resource) VALUES ($1, $2, $3)",
                [.text(record.id), .integer(Int64(place)), .text(resource.text)])
        }
        return true
    }

    /// Adds the identities that are new.
    private static func keepIdentities(
        of record: TrialRecord, on session: Session
    ) throws(PostgresFailure) {
        let stored = try session.all(
            "SELECT place, kind, hash FROM latchkey.trial_identities WHERE trial = $1 ORDER BY place",
            [.text(record.id)]
        ) { (row) throws(PostgresFailure) in
            (place: try row.integer(), identity: try TrialIdentityColumns.identity(from: &row))
        }
        let change = TrialIdentityChange(to: record, from: stored)
        if !change.isExtension {
            try session.run("DELETE FROM latchkey.trial_identities WHERE trial = $1", [.text(record.id)])
        }
        for row in change.rows {
            // One that is in another trial stays there: a device tries once, with any person it tries later.
            try session.run(
                """
                INSERT INTO latchkey.trial_identities (requestor, mvpd, kind, hash, trial, place)
                    VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (requestor, mvpd, kind, hash) DO NOTHING
                """, row)
        }
    }

    /// Swaps in the trial itself, without its identities and resources.
    private static func swap(_ record: TrialRecord, on session: Session) throws(PostgresFailure) -> Bool {
        guard record.version == 0 else {
            return try session.run(
                """
                UPDATE latchkey.trials SET first_use = $3, kept_until = $4, version = version + 1
                    WHERE id = $1 AND version = $2
                """,
                [
                    .text(record.id), .integer(Int64(record.version)), .timeIfAny(record.trial.firstUse),
                    .timeIfAny(record.keptUntil),
                ]) == 1
        }
        for identity in record.identities
        where try self.trial(of: identity, record.requestor, record.mvpd, on: session) != nil { return false }
        var kept = record
        kept.version += 1
        return try session.run(
            """
            INSERT INTO latchkey.trials (\(TrialColumn.names)) VALUES (\(TrialColumn.placeholders)) ON CONFLICT (id) DO NOTHING
            """, TrialColumn.values(of: kept)) == 1
    }

    package func resetTrials(
        of identity: TrialIdentity?, requestor: RequestorID, mvpd: MVPDID, limit: Int, audit: AuditEntry?
    ) async throws(StoreError) -> Int {
        let subjects = identity.map { [Self.subject($0, requestor, mvpd)] } ?? []
        return try await self.write(subjects) { (session) throws(PostgresFailure) -> Int in
            if let audit { try session.log(audit) }
            guard let identity else {
                return try session.run(
                    """
                    DELETE FROM latchkey.trials WHERE id IN
                        (SELECT id FROM latchkey.trials WHERE requestor = $1 AND mvpd = $2 ORDER BY id LIMIT $3)
                    """, [.text(requestor.text), .text(mvpd.text), .integer(Int64(max(limit, 0)))])
            }
            guard let id = try Self.trial(of: identity, requestor, mvpd, on: session) else { return 0 }
            return try session.run("DELETE FROM latchkey.trials WHERE id = $1", [.text(id)])
        }
    }
}
