package import Clientless
package import Entitlement
import StoreRecords

extension SQLiteStore {
    package func trial(
        of identities: [TrialIdentity], requestor: RequestorID, mvpd: MVPDID
    ) async throws(StoreError) -> TrialRecord? {
        try await self.read { (connection) throws(SQLiteFailure) in
            try connection.snapshot { (connection) throws(SQLiteFailure) in
                for identity in identities {
                    guard let id = try Self.trial(of: identity, requestor, mvpd, on: connection) else { continue }
                    return try Self.trial(id, on: connection)
                }
                return nil
            }
        }
    }

    /// The ID of the trial an identity is in.
    private static func trial(
        of identity: TrialIdentity, _ requestor: RequestorID, _ mvpd: MVPDID, on connection: borrowing Connection
    ) throws(SQLiteFailure) -> String? {
        try connection.first(
            """
            SELECT trial FROM trial_identities WHERE requestor = ?1 AND mvpd = ?2 AND kind = ?3 AND hash = ?4
            """, [.text(requestor.text), .text(mvpd.text)] + TrialIdentityColumns.values(of: identity)
        ) { (row) throws(SQLiteFailure) in try row.text() }
    }

    private static func trial(
        _ id: String, on connection: borrowing Connection
    ) throws(SQLiteFailure) -> TrialRecord? {
        let identities = try connection.all(
            "SELECT kind, hash FROM trial_identities WHERE trial = ?1 ORDER BY place", [.text(id)],
            TrialIdentityColumns.identity(from:))
        let resources = try connection.all(
            "SELECT resource FROM trial_resources WHERE trial = ?1 ORDER BY place", [.text(id)]
        ) { (row) throws(SQLiteFailure) in try row.resource() }
        return try connection.first("SELECT \(TrialColumn.names) FROM trials WHERE id = ?1", [.text(id)]) {
            (row) throws(SQLiteFailure) in
            try TrialColumn.record(from: &row, identities: identities, resources: resources)
        }
    }

    package func replace(_ record: TrialRecord) async throws(StoreError) -> Bool {
        try await self.write { (connection) throws(SQLiteFailure) in try Self.keep(record, on: connection) }
    }

    package func replace(
        _ record: TrialRecord, keeping permit: AuthZRecord, limit: Int
    ) async throws(StoreError) -> TrialUse {
        try await self.write { (connection) throws(SQLiteFailure) in
            // Nothing is changed before both are known to be kept.
            let isSignedIn = try connection.first(
                "SELECT 1 FROM authentications WHERE id = ?1", [.text(permit.authentication.text)]
            ) { (row) throws(SQLiteFailure) in try row.integer() }
            guard isSignedIn != nil else { return .signedOut }
            guard try Self.keep(record, on: connection) else { return .outdated }
            _ = try Self.keep(permit, limit: limit, on: connection)
            return .kept
        }
    }

    private static func keep(_ record: TrialRecord, on connection: borrowing Connection) throws(SQLiteFailure) -> Bool {
        guard try self.swap(record, on: connection) else { return false }
        try self.keepIdentities(of: record, on: connection)
        try connection.run("DELETE FROM trial_resources WHERE trial = ?1", [.text(record.id)])
        for (place, resource) in record.trial.resources.enumerated() {
            try connection.run(
                "INSERT INTO trial_resources (trial, place, resource) VALUES (?1, ?2, ?3)",
                [.text(record.id), .integer(Int64(place)), .text(resource.text)])
        }
        return true
    }

    /// Adds the identities that are new.
    private static func keepIdentities(
        of record: TrialRecord, on connection: borrowing Connection
    ) throws(SQLiteFailure) {
        let stored = try connection.all(
            "SELECT place, kind, hash FROM trial_identities WHERE trial = ?1 ORDER BY place", [.text(record.id)]
        ) { (row) throws(SQLiteFailure) in
            (place: try row.integer(), identity: try TrialIdentityColumns.identity(from: &row))
        }
        let change = TrialIdentityChange(to: record, from: stored)
        if !change.isExtension {
            try connection.run("DELETE FROM trial_identities WHERE trial = ?1", [.text(record.id)])
        }
        for row in change.rows {
            // One that is in another trial stays there: a device tries once, with any person it tries later.
            try connection.run(
                """
                INSERT INTO trial_identities (requestor, mvpd, kind, hash, trial, place)
                    VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (requestor, mvpd, kind, hash) DO NOTHING
                """, row)
        }
    }

    /// Swaps in the trial itself, without its identities and resources.
    private static func swap(_ record: TrialRecord, on connection: borrowing Connection) throws(SQLiteFailure) -> Bool {
        guard record.version == 0 else {
            return try connection.run(
                """
                UPDATE trials SET first_use = ?3, kept_until = ?4, version = version + 1
                    WHERE id = ?1 AND version = ?2
                """,
                [
                    .text(record.id), .integer(Int64(record.version)), .timeIfAny(record.trial.firstUse),
                    .timeIfAny(record.keptUntil),
                ]) == 1
        }
        for identity in record.identities
        where try self.trial(of: identity, record.requestor, record.mvpd, on: connection) != nil { return false }
        var kept = record
        kept.version += 1
        return try connection.run(
            """
            INSERT INTO trials (\(TrialColumn.names)) VALUES (\(TrialColumn.placeholders)) ON CONFLICT (id) DO NOTHING
            """, TrialColumn.values(of: kept)) == 1
    }

    package func resetTrials(
        of identity: TrialIdentity?, requestor: RequestorID, mvpd: MVPDID, limit: Int, audit: AuditEntry?
    ) async throws(StoreError) -> Int {
        try await self.write { (connection) throws(SQLiteFailure) in
            if let audit { try connection.log(audit) }
            guard let identity else {
                return try connection.run(
                    """
                    DELETE FROM trials WHERE id IN
                        (SELECT id FROM trials WHERE requestor = ?1 AND mvpd = ?2 LIMIT ?3)
                    """, [.text(requestor.text), .text(mvpd.text), .integer(Int64(max(limit, 0)))])
            }
            guard let id = try Self.trial(of: identity, requestor, mvpd, on: connection) else { return 0 }
            return try connection.run("DELETE FROM trials WHERE id = ?1", [.text(id)])
        }
    }
}
