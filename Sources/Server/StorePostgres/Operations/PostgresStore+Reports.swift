package import Clientless
package import Entitlement
import StoreRecords

extension PostgresStore {
    package func add(_ counts: [ReportCount], batch: String, until end: Timestamp) async throws(StoreError) {
        // Nodes count the same things. All go through the rows in one order, so that no two wait for each other.
        let sorted = counts.map { (order: Self.order(of: $0), count: $0) }
            .sorted { $0.order.lexicographicallyPrecedes($1.order) }.map(\.count)
        _ = try await self.write([]) { (session) throws(PostgresFailure) -> [Ticket] in
            var tickets = [
                try session.send(
                    "INSERT INTO latchkey.nonces (public_key, nonce, expires) VALUES ('reports', $1, $2)",
                    [.text(batch), .time(end)])
            ]
            for count in sorted {
                tickets.append(
                    try session.send(
                        """
                        INSERT INTO latchkey.reports (\(ReportColumn.names)) VALUES (\(ReportColumn.placeholders))
                            ON CONFLICT (hour, requestor, mvpd, device_type, platform, event)
                            DO UPDATE SET number = reports.number + excluded.number
                        """, ReportColumn.values(of: count)))
            }
            return tickets
        } finish: { (session, tickets) throws(PostgresFailure) -> Int in
            for ticket in tickets { _ = try session.count(of: ticket) }
            return tickets.count
        }
    }

    /// What rows are in one order by, on every node.
    private static func order(of count: ReportCount) -> [String] {
        [
            String(count.key.hour), count.key.requestor.text, count.key.mvpd?.text ?? "", count.key.model.deviceType,
            count.key.model.platform, count.key.event.rawValue,
        ]
    }

    package func reportCounts(_ selection: ReportSelection, limit: Int) async throws(StoreError) -> [ReportCount] {
        let (sql, values) = ReportColumn.question(selection, limit: limit, prefix: "latchkey.", "$")
        return try await self.read(sql, values, ReportColumn.count(from:))
    }
}
