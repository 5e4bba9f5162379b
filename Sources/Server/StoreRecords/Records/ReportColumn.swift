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
