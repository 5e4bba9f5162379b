import Clientless
package import Entitlement

extension SQLiteStore {
    package func add(_ counts: [ReportCount]) async throws(StoreError) {
        try await self.write { (connection) throws(SQLiteFailure) in
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

    static func values(of count: ReportCount) -> [SQLValue] { self.allCases.map { $0.value(of: count) } }

    static func count(from row: inout Row) throws(SQLiteFailure) -> ReportCount {
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
