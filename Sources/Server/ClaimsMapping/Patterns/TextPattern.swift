import Synchronization

/// A regular expression of PCRE2 whose cost is bounded: by the size of pattern and text, by the engine's steps, its depth
/// and its memory. It is used from any thread, one at a time.
package final class TextPattern: Sendable {
    /// The cost that the matches of one rule may have together: the more texts it has, the less each of them.
    package struct Budget: Sendable {
        /// Calls of the engine's inner function in one match (pcre2_set_match_limit(3)).
        let steps: UInt32
        /// Whether a match cost more than it may. Others are not tried then.
        fileprivate(set) var isExhausted = false

        package init(texts: Int) { self.steps = UInt32(max(500, 200_000 / max(1, texts))) }
    }

    /// The longest pattern, in bytes.
    package static let maximumSize = 512

    private let handle: Mutex<PatternHandle>

    /// - Throws: `pattern` with the place where it goes wrong.
    package init(_ pattern: String) throws(MappingFault) {
        guard (1...Self.maximumSize).contains(pattern.utf8.count) else { throw .pattern(place: 0) }
        self.handle = Mutex(try PatternHandle.compile(pattern))
    }

    /// The whole match and the groups of the pattern in `text`; `nil` if it does not match, or at too high a cost.
    func match(_ text: String, _ budget: inout Budget) -> [String]? {
        guard !budget.isExhausted else { return nil }
        let outcome = self.handle.withLock { $0.match(Array(text.utf8), steps: budget.steps) }
        if case .costly = outcome { budget.isExhausted = true }
        guard case .matched(let groups) = outcome else { return nil }
        return groups.map { String(decoding: $0, as: UTF8.self) }
    }

    var groupCount: Int { self.handle.withLock { $0.groupCount } }
}

enum MatchOutcome: Sendable {
    /// The whole match, then each group; a group that took no part is empty.
    case matched([[UInt8]])
    case unmatched
    case costly
}

/// The template of a match: text, and `$1` to `$9` for groups, `$0` for the whole match, `$$` for a dollar sign.
package struct PatternTemplate: Hashable, Sendable {
    private enum Part: Hashable, Sendable {
        case text(String)
        case group(Int)
    }

    private let parts: [Part]

    /// - Throws: `template` for a group that the pattern does not have.
    package init(_ text: String, for pattern: TextPattern) throws(MappingFault) {
        guard text.utf8.count <= 256 else { throw .template }
        var parts: [Part] = []
        var literal = ""
        var rest = Substring(text)
        while let character = rest.popFirst() {
            guard character == "$" else {
                literal.append(character)
                continue
            }
            guard let next = rest.popFirst() else { throw .template }
            if next == "$" {
                literal.append("$")
                continue
            }
            guard let group = next.isASCII ? next.wholeNumberValue : nil, group <= pattern.groupCount
            else { throw .template }
            if !literal.isEmpty { parts.append(.text(literal)) }
            literal = ""
            parts.append(.group(group))
        }
        if !literal.isEmpty { parts.append(.text(literal)) }
        self.parts = parts
    }

    /// - Returns: `nil` when the result is longer than a value may be.
    func filled(with groups: [String]) -> String? {
        var text = ""
        for part in self.parts {
            switch part {
            case .text(let literal): text += literal
            case .group(let index): text += groups.indices.contains(index) ? groups[index] : ""
            }
            guard text.utf8.count <= MetadataMapping.maximumTextSize else { return nil }
        }
        return text
    }
}
