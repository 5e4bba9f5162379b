package import Clientless
package import Entitlement

/// The columns of `degradation_rules`; resources have a table of their own.
package enum RuleColumn: String, ColumnList {
    case id, kind, requestor, mvpd, message, activation, ends, version

    package static let listed = Listed<Self>("degradation_rules")

    package var field: Field<DegradationRule> {
        switch self {
        case .id: .text { $0.id }
        case .kind: .text { $0.kind.rawValue }
        case .requestor: .text { $0.requestor.text }
        case .mvpd: .textIfAny { $0.mvpd?.text }
        case .message: .text { $0.message }
        case .activation: .time { $0.activation }
        case .ends: .time { $0.ends }
        case .version: .integer { Int64($0.version) }
        }
    }

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

    package static let listed = Listed<Self>("trials", "ON CONFLICT (id) DO NOTHING")

    package var field: Field<TrialRecord> {
        switch self {
        case .id: .text { $0.id }
        case .requestor: .text { $0.requestor.text }
        case .mvpd: .text { $0.mvpd.text }
        case .firstUse: .timeIfAny { $0.trial.firstUse }
        case .keptUntil: .timeIfAny { $0.keptUntil }
        case .version: .integer { Int64($0.version) }
        }
    }

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

    package static let listed = Listed<Self>("audit_log")

    package var field: Field<AuditEntry> {
        switch self {
        case .moment: .time { $0.time }
        case .actor: .text { $0.actor }
        case .action: .text { $0.action }
        case .subject: .text { $0.subject }
        }
    }

    package static func entry<Row: RecordRow>(from row: inout Row) throws(Row.Failure) -> AuditEntry {
        AuditEntry(
            time: try row.timestamp(Self.moment), actor: try row.text(Self.actor), action: try row.text(Self.action),
            subject: try row.text(Self.subject))
    }
}
