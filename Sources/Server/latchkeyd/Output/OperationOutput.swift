import Clientless
import Entitlement

/// A degradation rule as JSON.
struct DegradationOutput: Encodable {
    let id: String
    let kind: String
    let requestor: String
    /// Absent in a rule for every provider.
    let provider: String?
    let resources: [String]
    let message: String
    let activation: String
    let ends: String
    let inForce: Bool

    init(_ rule: DegradationRule, now: Timestamp) {
        self.id = rule.id
        self.kind = rule.kind.rawValue
        self.requestor = rule.requestor.text
        self.provider = rule.mvpd?.text
        self.resources = rule.resources.map(\.text)
        self.message = rule.message
        self.activation = rule.activation.timeText
        self.ends = rule.ends.timeText
        self.inForce = rule.isActive(at: now)
    }
}

/// An entry of the audit log as JSON.
struct AuditOutput: Encodable {
    let time: String
    let actor: String
    let action: String
    let subject: String

    init(_ entry: AuditEntry) {
        self.time = entry.time.timeText
        self.actor = entry.actor
        self.action = entry.action
        self.subject = entry.subject
    }
}

/// A value of user metadata as JSON: a text, a list of texts, or texts by name.
struct MetadataOutput: Encodable {
    private let value: MetadataValue

    init(_ value: MetadataValue) {
        self.value = value
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self.value {
        case .text(let text): try container.encode(text)
        case .list(let texts): try container.encode(texts)
        case .map(let entries):
            try container.encode(Dictionary(entries.map { ($0.name, $0.value) }) { first, _ in first })
        }
    }
}
