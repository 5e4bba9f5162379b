package import Clientless
package import Entitlement
import OpenIDConnect

/// The answer of an authorization endpoint, as it can be understood: what is wrong with one item concerns that item
/// alone.
package struct DecisionAnswer: Sendable {
    /// The longest sentence for a viewer, in bytes.
    package static let maximumSentence = 512

    /// By the ID of the item; `nil` for an ID that came twice.
    private let items: [String: DecidedItem?]

    /// - Returns: `nil` if it is no answer at all.
    package init?(_ body: [UInt8]) {
        guard let document = ForeignJSON.object(body, limit: HTTPDecisionPoint.answerLimit),
            case .array(let entries) = document["decisions"]
        else { return nil }
        var items: [String: DecidedItem?] = [:]
        for entry in entries {
            guard case .string(let id) = entry["id"] else { continue }
            items[id] = .some(items[id] == nil ? DecidedItem(entry) : nil)
        }
        self.items = items
    }

    /// The decisions on the first `count` items, in order. One that is missing, or that cannot be read, is no decision.
    package func decisions(on count: Int, now: Timestamp) -> [Decision] {
        (0..<count).map { index in
            guard case .some(.some(let item)) = self.items[String(index)] else { return .unanswered }
            return item.decision(at: now)
        }
    }
}
