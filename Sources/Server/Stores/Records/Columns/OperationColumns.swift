package import Clientless
package import Entitlement

/// The columns of `degradation_rules`; resources have a table of their own.
package enum RuleColumn: String, ColumnList {
    case id, kind, requestor, mvpd, message, activation, ends, version

    package static let listed = Listed<Self>("degradation_rules")

    package var field: Field<DegradationRule> {
        switch self {
        case .id: Field { $0.id }
        case .kind: Field { $0.kind }
        case .requestor: Field { $0.requestor }
        case .mvpd: Field { $0.mvpd }
        case .message: Field { $0.message }
        case .activation: Field { $0.activation }
        case .ends: Field { $0.ends }
        case .version: Field { $0.version }
        }
    }

    package static func rule<Row: RecordRow>(
        from row: inout Row, resources: (String) -> [Resource]
    ) throws(Row.Failure) -> DegradationRule {
        let id: String = try row.value(Self.id)
        return DegradationRule(
            id: id, kind: try row.value(Self.kind),
            requestor: try row.value(Self.requestor),
            mvpd: try row.valueIfAny(Self.mvpd), resources: resources(id), message: try row.value(Self.message),
            activation: try row.value(Self.activation), ends: try row.value(Self.ends),
            version: try row.value(Self.version))
    }
}

/// The columns of `trials`; identities and resources have tables of their own.
package enum TrialColumn: String, ColumnList {
    case id, requestor, mvpd
    case firstUse = "first_use"
    case keptUntil = "kept_until"
    case version

    package static let listed = Listed<Self>("trials", "ON CONFLICT (id) DO NOTHING")

    package var field: Field<TrialRecord> {
        switch self {
        case .id: Field { $0.id }
        case .requestor: Field { $0.requestor }
        case .mvpd: Field { $0.mvpd }
        case .firstUse: Field { $0.trial.firstUse }
        case .keptUntil: Field { $0.keptUntil }
        case .version: Field { $0.version }
        }
    }

    package static func record<Row: RecordRow>(
        from row: inout Row, identities: [TrialIdentity], resources: [Resource]
    ) throws(Row.Failure) -> TrialRecord {
        TrialRecord(
            id: try row.value(Self.id), requestor: try row.value(Self.requestor), mvpd: try row.value(Self.mvpd),
            identities: identities,
            trial: Trial(firstUse: try row.valueIfAny(Self.firstUse), resources: resources),
            keptUntil: try row.valueIfAny(Self.keptUntil), version: try row.value(Self.version))
    }
}

/// The columns of `audit_log` but for the sequence, which counts by itself.
package enum AuditColumn: String, ColumnList {
    case moment, actor, action, subject

    package static let listed = Listed<Self>("audit_log")

    package var field: Field<AuditEntry> {
        switch self {
        case .moment: Field { $0.time }
        case .actor: Field { $0.actor }
        case .action: Field { $0.action }
        case .subject: Field { $0.subject }
        }
    }

    package static func entry<Row: RecordRow>(from row: inout Row) throws(Row.Failure) -> AuditEntry {
        AuditEntry(
            time: try row.value(Self.moment), actor: try row.value(Self.actor), action: try row.value(Self.action),
            subject: try row.value(Self.subject))
    }
}

/// How an identity becomes the columns `kind` and `hash` of `trial_identities`, and they an identity.
package enum TrialIdentityColumns {
    package static func values(of identity: TrialIdentity) -> [SQLValue] {
        switch identity {
        case .device(let device): [.integer(0), .blob(device.bytes)]
        case .person(let hash): [.integer(1), .blob(hash)]
        }
    }

    package static func identity<Row: RecordRow>(from row: inout Row) throws(Row.Failure) -> TrialIdentity {
        switch try row.integer() {
        case 0: .device(try row.value())
        case 1: .person(try row.value())
        default: throw .nonsense("an identity of no known kind")
        }
    }
}

/// The change of a table of identities by a trial. Only a record that leaves out or moves stored ones has all written
/// anew.
package struct TrialIdentityChange {
    /// Whether those that are stored stay.
    package let isExtension: Bool
    /// A row for each identity that is to be written: requestor, provider, kind, hash, trial and place.
    package let rows: [[SQLValue]]

    /// - Parameter stored: what the table has of the trial, in the order of the places.
    package init(to record: TrialRecord, from stored: [(place: Int64, identity: TrialIdentity)]) {
        self.isExtension = record.identities.starts(with: stored.map(\.identity))
        let added = self.isExtension ? record.identities.dropFirst(stored.count) : record.identities[...]
        let first = self.isExtension ? (stored.last?.place ?? -1) + 1 : 0
        self.rows = added.enumerated().map { step, identity in
            [.text(record.requestor.text), .text(record.mvpd.text)] + TrialIdentityColumns.values(of: identity)
                + [.text(record.id), .integer(first + Int64(step))]
        }
    }
}

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
        case .hour: Field { $0.key.hour }
        case .requestor: Field { $0.key.requestor }
        case .mvpd: Field { $0.key.mvpd?.text ?? "" }
        case .platform: Field { $0.key.model.platform }
        case .event: Field { $0.key.event }
        case .number: Field { $0.count }
        case .deviceType: Field { $0.key.model.deviceType }
        }
    }

    static func question(_ selection: ReportSelection, limit: Int) -> SQL {
        var condition: SQL = "hour >= \(selection.hours.lowerBound) AND hour < \(selection.hours.upperBound)"
        if let requestors = selection.requestors {
            let among: SQL = requestors.isEmpty ? "false" : "requestor IN (\(requestors.map(\.sqlValue)))"
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
        let mvpd: String = try row.value(Self.mvpd)
        return ReportCount(
            ReportCount.Key(
                hour: try row.value(Self.hour), requestor: try row.value(Self.requestor),
                mvpd: try mvpd.isEmpty ? nil : row.value(Self.mvpd),
                model: BoxModel(deviceType: try row.value(Self.deviceType), platform: try row.value(Self.platform)),
                event: try row.value(Self.event)),
            count: try row.value(Self.number))
    }
}
