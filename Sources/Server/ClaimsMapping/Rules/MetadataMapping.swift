import Clientless
import Cryptography
package import Entitlement

/// The rules of one provider, applied to what it says of a viewer.
package struct MetadataMapping: Sendable {
    package static let maximumRules = 128
    /// The longest text that is looked at or made, in bytes; longer ones are left out.
    package static let maximumTextSize = 4_096
    /// The most texts of one list.
    package static let maximumListSize = 512

    package struct Result: Hashable, Sendable {
        package let values: [String: MetadataValue]
        /// The keys that the rules could not make: their keys, for the operator who tries a mapping.
        package let missing: [String]
        /// Rules whose pattern cost more than it may with one of the texts; that one and those behind it are left out.
        package let costly: [String]
    }

    package let rules: [MappingRule]

    /// - Throws: `count`, `repeated`.
    package init(_ rules: [MappingRule]) throws(MappingFault) {
        guard rules.count <= Self.maximumRules else { throw .count }
        var shapes: [String: Set<MappingRule.Shape>] = [:]
        for rule in rules {
            let others = shapes[rule.key] ?? []
            let areEntries = others.union([rule.shape]).allSatisfy { if case .entry = $0 { true } else { false } }
            guard others.isEmpty || areEntries && !others.contains(rule.shape) else { throw .repeated(key: rule.key) }
            shapes[rule.key, default: []].insert(rule.shape)
        }
        self.rules = rules
    }

    /// Applies the rules. A rule that finds nothing makes nothing.
    package func apply(to attributes: SourceAttributes) -> Result {
        var values: [String: MetadataValue] = [:]
        var missing: [String] = []
        var costly: [String] = []
        for rule in self.rules {
            var isCostly = false
            let texts = self.texts(of: rule, attributes, isCostly: &isCostly)
            if isCostly { costly.append(rule.key) }
            guard let first = texts.first else {
                missing.append(rule.key)
                continue
            }
            switch rule.shape {
            case .text: values[rule.key] = .text(first)
            case .list: values[rule.key] = .list(texts)
            case .entry(let name):
                var entries: [NamedText] = if case .map(let known) = values[rule.key] { known } else { [] }
                entries.append(NamedText(name, first))
                values[rule.key] = .map(entries)
            }
        }
        return Result(values: values, missing: missing, costly: costly)
    }

    /// Each text once, in the order of the provider.
    private func texts(of rule: MappingRule, _ attributes: SourceAttributes, isCostly: inout Bool) -> [String] {
        let sources: [String]
        switch rule.source {
        case .constant(let text): sources = [text]
        case .path(let path): sources = attributes.values(at: path).compactMap(\.scalarText)
        }
        // All texts of a rule share one budget, so that a long list of awkward texts costs no more than one.
        var budget = TextPattern.Budget(texts: sources.count)
        var seen: Set<ExactText> = []
        var texts: [String] = []
        for source in sources where source.utf8.count <= Self.maximumTextSize {
            guard let text = self.text(source, rule.steps, &budget), text.utf8.count <= Self.maximumTextSize,
                seen.insert(ExactText(text)).inserted
            else { continue }
            texts.append(text)
            if texts.count == Self.maximumListSize { break }
        }
        isCostly = budget.isExhausted
        return texts
    }

    private func text(_ source: String, _ steps: [MappingRule.Step], _ budget: inout TextPattern.Budget) -> String? {
        var text = source
        for step in steps {
            switch step {
            case .keyedHash(let hash, let label):
                // The length keeps label and text apart: no other pair of both makes the same bytes.
                text = Hex.encode(hash.hash(of: "\(label.utf8.count):\(label)\(text)"))
            case .saltedHash(let salt): text = Hex.encode(Digest.sha256(Array((salt + text).utf8)))
            case .lowercased: text = text.lowercased()
            case .pattern(let pattern, let template):
                guard let groups = pattern.match(text, &budget), let made = template.filled(with: groups)
                else { return nil }
                text = made
            }
        }
        return text
    }
}
