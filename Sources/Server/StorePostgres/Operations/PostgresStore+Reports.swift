import Clientless
package import Entitlement

extension PostgresStore {
    package func add(_ counts: [ReportCount]) async throws(StoreError) {
        // Nodes count the same things. All go through the rows in one order, so that no two wait for each other.
        let sorted = counts.map { (order: ReportColumn.order(of: $0), count: $0) }
            .sorted { $0.order.lexicographicallyPrecedes($1.order) }.map(\.count)
        _ = try await self.write([]) { (session) throws(PostgresFailure) -> [Ticket] in
            var tickets: [Ticket] = []
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

    package func reportCounts(_ hours: Range<Int64>, limit: Int) async throws(StoreError) -> [ReportCount] {
        try await self.read(
            """
            SELECT \(ReportColumn.names) FROM latchkey.reports WHERE hour >= $1 AND hour < $2
                ORDER BY hour, requestor, mvpd, device_type, platform, event LIMIT $3
            """,
            [.integer(hours.lowerBound), .integer(hours.upperBound), .integer(Int64(max(limit, 0)))],
            ReportColumn.count(from:))
    }
}

/// The columns of `reports`. Without a provider `mvpd` is empty: no two rows then have the same key.
enum ReportColumn: String, ColumnList {
    case hour, requestor, mvpd, platform, event, number
    case deviceType = "device_type"

    private func value(of count: ReportCount) -> SQLValue {
        switch self {
        case .hour: .integer(count.key.hour)
        case .requestor: .text(count.key.requestor.text)
        case .mvpd: .text(count.key.mvpd?.text ?? "")
        case .platform: .text(count.key.model.platform)
        case .event: .text(count.key.event.rawValue)
        case .number: .integer(Int64(count.count))
        case .deviceType: .text(count.key.model.deviceType)
        }
    }

    /// What rows are in one order by, on every node.
    static func order(of count: ReportCount) -> [String] {
        [
            String(count.key.hour), count.key.requestor.text, count.key.mvpd?.text ?? "", count.key.model.deviceType,
            count.key.model.platform, count.key.event.rawValue,
        ]
    }

    static func values(of count: ReportCount) -> [SQLValue] { self.allCases.map { $0.value(of: count) } }

    static func count(from row: inout Row) throws(PostgresFailure) -> ReportCount {
        let mvpd = try row.text(Self.mvpd)
        return ReportCount(
            ReportCount.Key(
                hour: try row.integer(Self.hour), requestor: try row.requestor(Self.requestor),
                mvpd: try mvpd.isEmpty ? nil : row.mvpd(Self.mvpd),
                model: BoxModel(deviceType: try row.text(Self.deviceType), platform: try row.text(Self.platform)),
                event: try row.word(Self.event, BoxEvent.Kind.self)),
            count: Int(try row.integer(Self.number)))
    }
}
