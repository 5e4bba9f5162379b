package import Clientless
package import Entitlement

/// The columns of `degradation_rules`; resources have a table of their own.
package enum RuleColumn: String, ColumnList {
    case id, kind, requestor, mvpd, message, activation, ends, version

    package static let names = joinedNames

    package var type: ColumnType {
        switch self {
        case .id, .kind, .requestor, .message: .text
        case .mvpd: .textIfAny
        case .activation, .ends, .version: .integer
        }
    }

    private func value(of rule: DegradationRule) -> SQLValue {
        switch self {
        case .id: .text(rule.id)
        case .kind: .text(rule.kind.rawValue)
        case .requestor: .text(rule.requestor.text)
        case .mvpd: .textIfAny(rule.mvpd?.text)
        case .message: .text(rule.message)
        case .activation: .time(rule.activation)
        case .ends: .time(rule.ends)
        case .version: .integer(Int64(rule.version))
        }
    }

    package static func values(of rule: DegradationRule) -> [SQLValue] { self.allCases.map { $0.value(of: rule) } }

    package static func rule<Row: RecordRow>(
        from row: inout Row, resources: (String) -> [Resource]
    ) throws(Row.Failure) -> DegradationRule {
        let id = try row.text(Self.id)
        return DegradationRule(
            id: id, kind: try row.word(Self.kind, DegradationRule.Kind.self),
            requestor: try row.requestor(Self.requestor),
            mvpd: try row.mvpdIfAny(Self.mvpd), resources: resources(id), message: try row.text(Self.message),
            activation: try row.timestamp(Self.activation), ends: try row.timestamp(Self.ends),
            version: Int(try row.integer(Self.version)))
    }
}

/// The columns of `trials`; identities and resources have tables of their own.
package enum TrialColumn: String, ColumnList {
    case id, requestor, mvpd
    case firstUse = "first_use"
    case keptUntil = "kept_until"
    case version

    package static let names = joinedNames

    package var type: ColumnType {
        switch self {
        case .id, .requestor, .mvpd: .text
        case .version: .integer
        case .firstUse, .keptUntil: .integerIfAny
        }
    }

    private func value(of record: TrialRecord) -> SQLValue {
        switch self {
        case .id: .text(record.id)
        case .requestor: .text(record.requestor.text)
        case .mvpd: .text(record.mvpd.text)
        case .firstUse: .timeIfAny(record.trial.firstUse)
        case .keptUntil: .timeIfAny(record.keptUntil)
        case .version: .integer(Int64(record.version))
        }
    }

    package static func values(of record: TrialRecord) -> [SQLValue] { self.allCases.map { $0.value(of: record) } }

    package static func record<Row: RecordRow>(
        from row: inout Row, identities: [TrialIdentity], resources: [Resource]
    ) throws(Row.Failure) -> TrialRecord {
        TrialRecord(
            id: try row.text(Self.id), requestor: try row.requestor(Self.requestor), mvpd: try row.mvpd(Self.mvpd),
            identities: identities,
            trial: Trial(firstUse: try row.timestampIfAny(Self.firstUse), resources: resources),
            keptUntil: try row.timestampIfAny(Self.keptUntil), version: Int(try row.integer(Self.version)))
    }
}

/// The columns of `audit_log` but for the sequence, which counts by itself.
package enum AuditColumn: String, ColumnList {
    case moment, actor, action, subject

    package static let names = joinedNames

    package var type: ColumnType {
        switch self {
        case .actor, .action, .subject: .text
        case .moment: .integer
        }
    }

    private func value(of entry: AuditEntry) -> SQLValue {
        switch self {
        case .moment: .time(entry.time)
        case .actor: .text(entry.actor)
        case .action: .text(entry.action)
        case .subject: .text(entry.subject)
        }
    }

    package static func values(of entry: AuditEntry) -> [SQLValue] { self.allCases.map { $0.value(of: entry) } }

    package static func entry<Row: RecordRow>(from row: inout Row) throws(Row.Failure) -> AuditEntry {
        AuditEntry(
            time: try row.timestamp(Self.moment), actor: try row.text(Self.actor), action: try row.text(Self.action),
            subject: try row.text(Self.subject))
    }
}
