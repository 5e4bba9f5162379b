import Clientless
package import Entitlement

/// The columns of `reports`. Without a provider `mvpd` is empty: no two rows then have the same key.
package enum ReportColumn: String, ColumnList {
    case hour, requestor, mvpd, platform, event, number
    case deviceType = "device_type"

    package static let names = joinedNames

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

    package static func values(of count: ReportCount) -> [SQLValue] { self.allCases.map { $0.value(of: count) } }

    /// The question for the selected counts, with its values.
    /// - Parameters:
    ///   - prefix: what the store writes before a table's name.
    ///   - sign: what the store writes before a parameter's number.
    package static func question(
        _ selection: ReportSelection, limit: Int, prefix: String = "", _ sign: Character
    ) -> (sql: String, values: [SQLValue]) {
        var values: [SQLValue] = [
            .integer(selection.hours.lowerBound), .integer(selection.hours.upperBound), .integer(Int64(max(limit, 0))),
        ]
        var condition = "hour >= \(sign)1 AND hour < \(sign)2"
        if let requestors = selection.requestors {
            let places = requestors.indices.enumerated().map { "\(sign)\(values.count + $0.offset + 1)" }
            condition += requestors.isEmpty ? " AND false" : " AND requestor IN (\(places.joined(separator: ", ")))"
            values += requestors.map { .text($0.text) }
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
        let sql =
            "SELECT \(columns.joined(separator: ", ")) FROM \(prefix)reports WHERE \(condition)"
            + " GROUP BY \(order) ORDER BY \(order) LIMIT \(sign)3"
        return (sql, values)
    }

    package static func count<Row: RecordRow & ~Copyable>(from row: inout Row) throws(Row.Failure) -> ReportCount {
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
