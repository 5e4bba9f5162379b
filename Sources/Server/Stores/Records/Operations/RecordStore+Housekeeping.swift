package import Clientless
package import Entitlement

extension RecordStore {
    package func readiness() async throws(StoreError) {
        try await self.write([], "UPDATE latchkey.probe SET value = 1 - value")
    }

    package func lastPurge() async throws(StoreError) -> Timestamp? {
        try await self.read("SELECT purged_at FROM latchkey.store_state") { (row) throws(Failure) in
            try row.timestampIfAny()
        }.first ?? nil
    }

    package func confirm(_ now: Timestamp, audit: AuditEntry?) async throws(StoreError) {
        try await self.write([]) { (session) throws(Failure) -> Void in
            try session.run("UPDATE latchkey.store_state SET purged_at = \(now)")
            try session.log(audit)
        }
    }

    package func takeLease(
        _ task: String, holder: String, for duration: Duration, now: Timestamp
    ) async throws(StoreError) -> Bool {
        let end = now + duration
        return try await self.write(
            [],
            """
            INSERT INTO latchkey.leases (task, holder, ends) VALUES (\(task), \(holder), \(end))
                ON CONFLICT (task) DO UPDATE SET holder = excluded.holder, ends = excluded.ends
                WHERE leases.holder = \(holder) OR leases.ends <= \(now) OR leases.ends > \(now + duration * 2)
            """) == 1
    }

    package func leases(_ ends: Range<Timestamp>) async throws(StoreError) -> [String: String] {
        let found = try await self.read(
            """
            SELECT task, holder FROM latchkey.leases WHERE ends >= \(ends.lowerBound) AND ends < \(ends.upperBound)
            """
        ) { (row) throws(Failure) in (try row.text(), try row.text()) }
        return Dictionary(uniqueKeysWithValues: found)
    }
}
