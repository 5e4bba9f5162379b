package import Clientless
package import Entitlement
import StoreRecords

extension SQLiteStore {
    package func save(_ rules: [DegradationRule], audit: AuditEntry) async throws(StoreError) -> Bool {
        try await self.write { (connection) throws(SQLiteFailure) in
            // All are looked at before one is changed.
            for rule in rules {
                let version = try connection.first(
                    "SELECT version FROM degradation_rules WHERE id = ?1", [.text(rule.id)]
                ) { (row) throws(SQLiteFailure) in try row.integer() }
                guard (version ?? 0) == Int64(rule.version) else { return false }
            }
            for rule in rules { try Self.keep(rule, on: connection) }
            if !rules.isEmpty { connection.note(.degradation) }
            try connection.log(audit)
            return true
        }
    }

    private static func keep(_ rule: DegradationRule, on connection: borrowing Connection) throws(SQLiteFailure) {
        var kept = rule
        kept.version += 1
        // The resources of a replaced row go with it.
        try connection.run("DELETE FROM degradation_rules WHERE id = ?1", [.text(rule.id)])
        try connection.run(
            "INSERT INTO degradation_rules (\(RuleColumn.names)) VALUES (\(RuleColumn.placeholders))",
            RuleColumn.values(of: kept))
        for (place, resource) in rule.resources.enumerated() {
            try connection.run(
                "INSERT INTO degradation_resources (rule, place, resource) VALUES (?1, ?2, ?3)",
                [.text(rule.id), .integer(Int64(place)), .text(resource.text)])
        }
    }

    package func degradationRules(endingAfter moment: Timestamp) async throws(StoreError) -> [DegradationRule] {
        try await self.read { (connection) throws(SQLiteFailure) in
            try connection.snapshot { (connection) throws(SQLiteFailure) in
                let resources = try connection.lists(
                    """
                    SELECT rule, resource FROM degradation_resources
                        WHERE rule IN (SELECT id FROM degradation_rules WHERE ends > ?1) ORDER BY rule, place
                    """, [.time(moment)]
                ) { (row) throws(SQLiteFailure) in (try row.text(), try row.resource()) }
                return try connection.all(
                    "SELECT \(RuleColumn.names) FROM degradation_rules WHERE ends > ?1 ORDER BY activation, id",
                    [.time(moment)]
                ) { (row) throws(SQLiteFailure) in try RuleColumn.rule(from: &row) { resources[$0] ?? [] } }
            }
        }
    }

    package func log(_ entry: AuditEntry) async throws(StoreError) {
        try await self.write { (connection) throws(SQLiteFailure) in try connection.log(entry) }
    }

    // No index over times, actors or subjects: the log is bounded, and what is asked for is mostly near its end.
    package func auditEntries(
        _ selection: AuditSelection, limit: Int
    ) async throws(StoreError) -> [AuditEntry] {
        try await self.read { (connection) throws(SQLiteFailure) in
            // lower() of SQLite knows ASCII alone.
            try connection.all(
                """
                SELECT \(AuditColumn.names) FROM audit_log
                    WHERE (?1 IS NULL OR moment >= ?1) AND (?2 IS NULL OR moment < ?2)
                        AND (?3 IS NULL OR instr(lower(subject), lower(?3)) > 0)
                        AND (?4 IS NULL OR instr(lower(actor), lower(?4)) > 0)
                    ORDER BY sequence DESC LIMIT ?5
                """,
                [
                    .integerIfAny(selection.since?.milliseconds), .integerIfAny(selection.until?.milliseconds),
                    .textIfAny(selection.subject), .textIfAny(selection.actor), .integer(Int64(max(limit, 0))),
                ], AuditColumn.entry(from:))
        }
    }
}
