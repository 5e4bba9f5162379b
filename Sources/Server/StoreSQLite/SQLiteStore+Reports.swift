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

    package func reportCounts(_ hours: Range<Int64>, limit: Int) async throws(StoreError) -> [ReportCount] {
        try await self.read { (connection) throws(SQLiteFailure) in
            try connection.all(
                """
                SELECT \(ReportColumn.names) FROM reports WHERE hour >= ?1 AND hour < ?2
                    ORDER BY hour, requestor, mvpd, device_type, platform, event LIMIT ?3
                """,
                [.integer(hours.lowerBound), .integer(hours.upperBound), .integer(Int64(max(limit, 0)))],
                ReportColumn.count(from:))
        }
    }
}
