package import Clientless
package import Entitlement

extension RecordStore {
    package func save(_ rules: [DegradationRule], audit: AuditEntry) async throws(StoreError) -> Bool {
        try await self.write(rules.map { .named(.rule, $0.id) }) { (session) throws(Failure) in
            // All are looked at before one is changed.
            for rule in rules {
                let version = try session.integer(
                    "SELECT version FROM latchkey.degradation_rules WHERE id = \(rule.id)")
                guard (version ?? 0) == Int64(rule.version) else { return false }
            }
            for rule in rules { try session.keep(rule) }
            if !rules.isEmpty { session.note(.degradation) }
            try session.log(audit)
            return true
        }
    }

    package func degradationRules(endingAfter moment: Timestamp) async throws(StoreError) -> [DegradationRule] {
        try await self.snapshot { (session) throws(Failure) in
            let resources = try session.lists(
                """
                SELECT rule, resource FROM latchkey.degradation_resources
                    WHERE rule IN (SELECT id FROM latchkey.degradation_rules WHERE ends > \(moment)) ORDER BY rule, place
                """
            ) { (row) throws(Failure) -> Resource in try row.value() }
            return try session.all(
                """
                SELECT \(RuleColumn.self) FROM latchkey.degradation_rules WHERE ends > \(moment) ORDER BY activation, id
                """
            ) { (row) throws(Failure) in try RuleColumn.rule(from: &row) { resources[$0] ?? [] } }
        }
    }

    package func log(_ entry: AuditEntry) async throws(StoreError) {
        try await self.write([]) { (session) throws(Failure) in try session.log(entry) }
    }

    // No index over times, actors or subjects: the log is bounded, and what is asked for is mostly near its end.
    package func auditEntries(_ selection: AuditSelection, limit: Int) async throws(StoreError) -> [AuditEntry] {
        var condition: SQL = "true"
        if let since = selection.since { condition = "\(condition) AND moment >= \(since)" }
        if let until = selection.until { condition = "\(condition) AND moment < \(until)" }
        for (column, part) in [("subject", selection.subject), ("actor", selection.actor)] {
            guard let part, !part.isEmpty else { continue }
            // lower() of both engines knows ASCII alone: of PostgreSQL in the collation of these columns.
            let lowered = String(decoding: part.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
            let column: SQL = "lower(\(raw: column))"
            condition = "\(condition) AND replace(\(column), \(lowered), '') <> \(column)"
        }
        return try await self.read(
            """
            SELECT \(AuditColumn.self) FROM latchkey.audit_log WHERE \(condition) ORDER BY sequence DESC
                LIMIT \(max(limit, 0))
            """, AuditColumn.entry(from:))
    }
}

extension RecordSession {
    fileprivate func keep(_ rule: DegradationRule) throws(Row.Failure) {
        var kept = rule
        kept.version += 1
        // The resources of a replaced row go with it.
        let statements: [SQL] = [
            "DELETE FROM latchkey.degradation_rules WHERE id = \(rule.id)",
            RuleColumn.insertion(of: kept),
        ]
        try self.run(
            statements
                + SQL.list(
                    rule.resources.map(\.text), in: "degradation_resources (rule, place, resource)", of: rule.id))
    }
}
