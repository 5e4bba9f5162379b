import Clientless
package import Entitlement

/// The columns of `reports`. Without a provider `mvpd` is empty: no two rows then have the same key.
package enum ReportColumn: String, ColumnList {
    case hour, requestor, mvpd, platform, event, number
    case deviceType = "device_type"

    package static let listed = Listed<Self>(
        "reports",
        """
        ON CONFLICT (hour, requestor, mvpd, device_type, platform, event)
            DO UPDATE SET number = reports.number + excluded.number
        """)

    package var field: Field<ReportCount> {
        switch self {
        case .hour: .integer { $0.key.hour }
        case .requestor: .text { $0.key.requestor.text }
        case .mvpd: .text { $0.key.mvpd?.text ?? "" }
        case .platform: .text { $0.key.model.platform }
        case .event: .text { $0.key.event.rawValue }
        case .number: .integer { Int64($0.count) }
        case .deviceType: .text { $0.key.model.deviceType }
        }
    }

    /// The question for the selected counts.
    static func question(_ selection: ReportSelection, limit: Int) -> SQL {
        var condition: SQL = "hour >= \(selection.hours.lowerBound) AND hour < \(selection.hours.upperBound)"
        if let requestors = selection.requestors {
            let among: SQL =
                requestors.isEmpty ? "false" : "requestor IN (\(requestors.map(\.sqlValue)))"
            condition = "\(condition) AND \(among)"
        }
        let columns = self.allCases.map { column in
            switch column {
            case .hour: selection.isByDay ? "hour / 24 * 24" : "hour"
            case .mvpd: selection.tellsProviders ? "mvpd" : "CAST('' AS text)"
            case .platform, .deviceType:
                selection.tellsModels ? column.rawValue : "CAST('\(BoxModel.unknown)' AS text)"
            case .number: "CAST(sum(number) AS bigint)"
            case .requestor, .event: column.rawValue
            }
        }
        // By their places, as a store may take a name for that of the table's column.
        let order = [Self.hour, .requestor, .mvpd, .deviceType, .platform, .event].map { "\($0.place + 1)" }
            .joined(separator: ", ")
        return """
            SELECT \(raw: columns.joined(separator: ", ")) FROM latchkey.reports WHERE \(condition)
                GROUP BY \(raw: order) ORDER BY \(raw: order) LIMIT \(max(limit, 0))
            """
    }

    package static func count<Row: RecordRow>(from row: inout Row) throws(Row.Failure) -> ReportCount {
        let mvpd = try row.text(Self.mvpd)
        return ReportCount(
            ReportCount.Key(
                hour: try row.integer(Self.hour), requestor: try row.requestor(Self.requestor),
                mvpd: try mvpd.isEmpty ? nil : row.mvpd(Self.mvpd),
                model: BoxModel(deviceType: try row.text(Self.deviceType), platform: try row.text(Self.platform)),
                event: try row.word(Self.event, BoxStep.Kind.self)),
            count: Int(try row.integer(Self.number)))
    }
}
