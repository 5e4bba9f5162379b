package import Clientless
package import Entitlement
import StoreRecords

extension SQLiteStore {
    package func add(_ counts: [ReportCount], batch: String, until end: Timestamp) async throws(StoreError) {
        try await self.write { (connection) throws(SQLiteFailure) in
            try connection.run(
                "INSERT INTO nonces (public_key, nonce, expires) VALUES ('reports', ?1, ?2)",
                [.text(batch), .time(end)])
            for count in counts {
                try connection.run(
                    """
                    INSERT INTO reports (\(ReportColumn.names)) VALUES (\(ReportColumn.placeholders))
                        ON CONFLICT (hour, requestor, mvpd, device_type, platform, event)
                        DO UPDATE SET number = reports.number + excluded.number
                    """, ReportColumn.values(of: count))
            }
        }
    }

    package func reportCounts(_ selection: ReportSelection, limit: Int) async throws(StoreError) -> [ReportCount] {
        let (sql, values) = ReportColumn.question(selection, limit: limit, "?")
        return try await self.read { (connection) throws(SQLiteFailure) in
            try connection.all(sql, values, ReportColumn.count(from:))
        }
    }
}
