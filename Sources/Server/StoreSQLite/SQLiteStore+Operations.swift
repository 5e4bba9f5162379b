package import Clientless
package import Entitlement

extension SQLiteStore {
    package func save(_ rules: [DegradationRule], audit: AuditEntry) async throws(StoreError) {
        try await self.write { (connection) throws(SQLiteFailure) in
            for rule in rules { try Self.keep(rule, on: connection) }
            if !rules.isEmpty { try connection.note(.degradation) }
            try connection.log(audit)
        }
    }

    private static func keep(_ rule: DegradationRule, on connection: borrowing Connection) throws(SQLiteFailure) {
        // The resources of a replaced row go with it.
        try connection.run("DELETE FROM degradation_rules WHERE id = ?1", [.text(rule.id)])
        try connection.run(
            """
            INSERT INTO degradation_rules (id, kind, requestor, mvpd, message, activation, ends)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """,
            [
                .text(rule.id), .text(rule.kind.rawValue), .text(rule.requestor.text), .textIfAny(rule.mvpd?.text),
                .text(rule.message), .time(rule.activation), .time(rule.ends),
            ])
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
                    """
                    SELECT id, kind, requestor, mvpd, message, activation, ends FROM degradation_rules
                        WHERE ends > ?1 ORDER BY activation, id
                    """, [.time(moment)]
                ) { (row) throws(SQLiteFailure) in
                    let id = try row.text()
                    return DegradationRule(
                        id: id, kind: try row.word(DegradationRule.Kind.self), requestor: try row.requestor(),
                        mvpd: try row.mvpdIfAny(), resources: resources[id] ?? [], message: try row.text(),
                        activation: try row.timestamp(), ends: try row.timestamp())
                }
            }
        }
    }

    package func auditEntries(limit: Int) async throws(StoreError) -> [AuditEntry] {
        try await self.read { (connection) throws(SQLiteFailure) in
            try connection.all(
                "SELECT moment, actor, action, subject FROM audit_log ORDER BY sequence DESC LIMIT ?1",
                [.integer(Int64(max(limit, 0)))]
            ) { (row) throws(SQLiteFailure) in
                AuditEntry(
                    time: try row.timestamp(), actor: try row.text(), action: try row.text(), subject: try row.text())
            }
        }
    }
}
