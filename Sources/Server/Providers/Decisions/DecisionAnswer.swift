package import Clientless
package import Entitlement
import FoundationEssentials
import OpenIDConnect

/// What an authorization endpoint answered, as it can be understood: what is wrong with one item concerns that item alone.
package struct DecisionAnswer: Sendable {
    /// The longest sentence for a viewer, in bytes.
    package static let maximumSentence = 512

    /// By the ID of the item; `nil` for an ID that came twice.
    private let items: [String: Item?]

    /// - Returns: `nil` for what is no answer at all.
    package init?(_ body: [UInt8]) {
        guard let document = ForeignJSON.object(body, limit: HTTPDecisionPoint.answerLimit),
            case .array(let entries) = document["decisions"]
        else { return nil }
        var items: [String: Item?] = [:]
        for entry in entries {
            guard case .string(let id) = entry["id"] else { continue }
            items[id] = .some(items[id] == nil ? Item(entry) : nil)
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

    /// One item of an answer.
    private struct Item: Sendable {
        private enum Word: String { case permit, deny, error }

        private let word: Word
        private let sentence: String?
        private let hint: String?
        private let life: Duration?
        private let limit: [MetadataEntry]?
        /// An obligation that this server does not know: it cannot be met.
        private let isBeyondUs: Bool

        init?(_ entry: JSONValue) {
            guard case .string(let text) = entry["decision"], let word = Word(rawValue: text) else { return nil }
            var life: Duration?
            switch entry["expiresIn"] {
            case nil, .null: break
            case .integer(let seconds)?:
                guard seconds >= 0 else { return nil }
                // Further than any permit lasts is as far.
                life = .seconds(min(seconds, 366 * 86_400))
            default: return nil
            }
            var hint: String?
            var limit: [MetadataEntry]?
            var isBeyondUs = false
            switch entry["obligations"] {
            case nil, .null: break
            case .array(let obligations)?:
                for obligation in obligations {
                    guard case .string(let kind) = obligation["kind"] else { return nil }
                    switch kind {
                    case "log": break
                    case "upgrade": hint = Self.sentence(obligation["message"])
                    case "reauthorize":
                        guard case .integer(let seconds) = obligation["after"], seconds >= 0 else { return nil }
                        life = min(life ?? .seconds(366 * 86_400), .seconds(min(seconds, 366 * 86_400)))
                    case "maxRating":
                        guard case .object(let members) = obligation["value"] else { return nil }
                        limit =
                            (limit ?? [])
                            + members.compactMap { member in
                                guard case .string(let rating) = member.value else { return nil }
                                return MetadataEntry(name: member.name, value: rating)
                            }
                    default: isBeyondUs = true
                    }
                }
            default: return nil
            }
            self.word = word
            self.sentence = Self.sentence(entry["message"])
            self.hint = hint
            self.life = life
            self.limit = limit
            self.isBeyondUs = isBeyondUs
        }

        func decision(at now: Timestamp) -> Decision {
            switch self.word {
            case .error: return .unanswered
            case .deny:
                let sentences = [self.sentence, self.hint].compactMap { $0 }
                return .deny(reason: sentences.isEmpty ? nil : sentences.joined(separator: " "))
            case .permit:
                if self.isBeyondUs { return .deny(reason: self.sentence) }
                let until = self.life.map { now + $0 }
                return self.limit.map { .restricted(to: .map($0), until: until) } ?? .permitted(until: until)
            }
        }

        /// Text that a viewer may be shown, in the beginning that has room.
        private static func sentence(_ value: JSONValue?) -> String? {
            guard case .string(let text) = value else { return nil }
            let shown = text.unicodeScalars.filter {
                ![.control, .format, .privateUse, .surrogate].contains($0.properties.generalCategory)
            }
            let bounded = String(String.UnicodeScalarView(shown)).prefix(bytes: DecisionAnswer.maximumSentence)
            return bounded.isEmpty ? nil : String(bounded)
        }
    }
}
