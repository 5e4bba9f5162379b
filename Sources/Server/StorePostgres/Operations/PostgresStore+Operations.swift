package import Clientless
package import Entitlement
import StoreRecords

extension PostgresStore {
    package func save(_ rules: [DegradationRule], audit: AuditEntry) async throws(StoreError) -> Bool {
        try await self.write(rules.map { .named(.rule, $0.id) }) { (session) throws(PostgresFailure) -> Bool in
            // All are looked at before one is changed.
            for rule in rules {
                let version = try session.first(
                    "SELECT version FROM latchkey.degradation_rules WHERE id = $1", [.text(rule.id)]
                ) { (row) throws(PostgresFailure) in try row.integer() }
                guard (version ?? 0) == Int64(rule.version) else { return false }
            }
            for rule in rules { try Self.keep(rule, on: session) }
            if !rules.isEmpty { session.note(.degradation) }
            try session.log(audit)
            return true
        }
    }

    private static func keep(_ rule: DegradationRule, on session: Session) throws(PostgresFailure) {
        var kept = rule
        kept.version += 1
        // The resources of a replaced row go with it.
        try session.run("DELETE FROM latchkey.degradation_rules WHERE id = $1", [.text(rule.id)])
        try session.run(
            "INSERT INTO latchkey.degradation_rules (\(RuleColumn.names)) VALUES (\(RuleColumn.placeholders))",
            RuleColumn.values(of: kept))
        for (place, resource) in rule.resources.enumerated() {
            try session.run(
                "INSERT INTO latchkey.degradation_resources (rule, place, resource) VALUES ($1, $2, $3)",
                [.text(rule.id), .integer(Int64(place)), .text(resource.text)])
        }
    }

    package func degradationRules(endingAfter moment: Timestamp) async throws(StoreError) -> [DegradationRule] {
        try await self.snapshot { (session) throws(PostgresFailure) -> [DegradationRule] in
            let resources = try session.lists(
                """
                SELECT rule, resource FROM latchkey.degradation_resources
                    WHERE rule IN (SELECT id FROM latchkey.degradation_rules WHERE ends > $1) ORDER BY rule, place
                """, [.time(moment)]
            ) { (row) throws(PostgresFailure) in (try row.text(), try row.resource()) }
            return try session.all(
                "SELECT \(RuleColumn.names) FROM latchkey.degradation_rules WHERE ends > $1 ORDER BY activation, id",
                [.time(moment)]
            ) { (row) throws(PostgresFailure) in try RuleColumn.rule(from: &row) { resources[$0] ?? [] } }
        }
    }

    package func log(_ entry: AuditEntry) async throws(StoreError) {
        try await self.write([]) { (session) throws(PostgresFailure) -> Void in try session.log(entry) }
    }

    // No index over times, actors or subjects: the log is bounded, and what is asked for is mostly near its end.
    package func auditEntries(
        _ selection: AuditSelection, limit: Int
    ) async throws(StoreError) -> [AuditEntry] {
        // lower() knows ASCII alone in the collation "C".
        try await self.read(
            """
            SELECT \(AuditColumn.names) FROM latchkey.audit_log
                WHERE ($1::bigint IS NULL OR moment >= $1) AND ($2::bigint IS NULL OR moment < $2)
                    AND ($3::text IS NULL OR strpos(lower(subject), lower($3::text COLLATE "C")) > 0)
                    AND ($4::text IS NULL OR strpos(lower(actor), lower($4::text COLLATE "C")) > 0)
                ORDER BY sequence DESC LIMIT $5
            """,
            [
                .integerIfAny(selection.since?.milliseconds), .integerIfAny(selection.until?.milliseconds),
                .textIfAny(selection.subject), .textIfAny(selection.actor), .integer(Int64(max(limit, 0))),
            ], AuditColumn.entry(from:))
    }
}
