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

/// The decision of an authorization endpoint on one resource, in whatever form it said so.
struct DecidedItem: Sendable {
    enum Word: String { case permit, deny, error }

    /// Further than any permit lasts is as far, in seconds.
    static let longestLife: Int64 = 366 * 86_400

    var word: Word
    var sentence: String?
    /// The viewer's way to get it.
    var hint: String?
    var life: Duration?
    /// The highest ratings that the permit is for.
    var limit: [NamedText]?
    /// Whether the household's own controls decide: a permit is for what they allow, and a denial is theirs.
    var isRestricted = false
    /// An obligation that this server does not know: it cannot be met.
    var isBeyondUs = false

    /// Shortens the permit.
    /// - Returns: `false` for a number that is no life.
    mutating func shorten(to seconds: Int64) -> Bool {
        guard seconds >= 0 else { return false }
        // A permit that is not to be kept stays for the one playback that asked for it.
        let life = Duration.seconds(seconds == 0 ? 60 : min(seconds, Self.longestLife))
        self.life = min(self.life ?? life, life)
        return true
    }

    func decision(at now: Timestamp) -> Decision {
        switch self.word {
        case .error: return .unanswered
        case .deny:
            let sentences = [self.sentence, self.hint].compactMap { $0 }
            let reason = sentences.isEmpty ? nil : sentences.joined(separator: " ")
            return self.isRestricted ? .denyByHousehold(reason: reason) : .deny(reason: reason)
        case .permit:
            let refusal = Decision.deny(reason: self.sentence)
            if self.isBeyondUs { return refusal }
            let until = self.life.map { now + $0 }
            guard let limit = self.limit else {
                return self.isRestricted
                    ? .restricted(to: .map([]), needsHousehold: true, until: until) : .permitted(until: until)
            }
            // A limit that is not understood here is an obligation that cannot be met.
            return Decision.permitted(within: limit, needsHousehold: self.isRestricted, until: until) ?? refusal
        }
    }

    /// Text that a viewer may be shown, in the beginning that has room; `nil` when nothing is left.
    static func sentence(_ text: String) -> String? {
        let shown = text.unicodeScalars.filter {
            ![.control, .format, .privateUse, .surrogate].contains($0.properties.generalCategory)
        }
        let bounded = String(String.UnicodeScalarView(shown)).prefix(bytes: DecisionAnswer.maximumSentence)
        return bounded.isEmpty ? nil : String(bounded)
    }
}

extension DecidedItem {
    /// - Returns: `nil` if it cannot be read.
    init?(_ entry: JSONValue) {
        guard case .string(let text) = entry["decision"], let word = Word(rawValue: text) else { return nil }
        self.init(word: word)
        self.sentence = Self.sentence(entry["message"])
        switch entry["expiresIn"] {
        case nil, .null: break
        case .integer(let seconds)?:
            guard self.shorten(to: seconds) else { return nil }
        default: return nil
        }
        switch entry["obligations"] {
        case nil, .null: break
        case .array(let obligations)?:
            for obligation in obligations { guard self.take(obligation) else { return nil } }
        default: return nil
        }
    }

    /// - Returns: `false` if it cannot be read.
    private mutating func take(_ obligation: JSONValue) -> Bool {
        guard case .string(let kind) = obligation["kind"] else { return false }
        switch kind {
        case "log": break
        case "upgrade": self.hint = Self.sentence(obligation["message"])
        case "reauthorize":
            guard case .integer(let seconds) = obligation["after"] else { return false }
            return self.shorten(to: seconds)
        case "maxRating":
            guard case .object(let members) = obligation["value"] else { return false }
            var limit = self.limit ?? []
            for member in members {
                guard case .string(let rating) = member.value else { return false }
                limit.append(NamedText(member.name, rating))
            }
            self.limit = limit
        default: self.isBeyondUs = true
        }
        return true
    }

    private static func sentence(_ value: JSONValue?) -> String? {
        guard case .string(let text) = value else { return nil }
        return self.sentence(text)
    }
}
