import ClaimsMapping
import Clientless
import CommandLineTool
import Cryptography

struct MappingSettings: Sendable {
    private enum Hash: String, Equatable {
        /// Under a key of this server.
        case keyed
        /// With a salt that others may know.
        case salted
    }

    private let key: String
    private let source: MappingRule.Source
    private let shape: MappingRule.Shape
    private let pattern: (text: String, template: String)?
    private let isLowercased: Bool
    private let hash: Hash?
    private let salt: String?

    /// - Returns: `nil` when something is missing or wrong, which is then reported.
    init?(_ section: SettingsSection) {
        let key = section.readRequired(
            "key", .metadataKey, example: "householdID", "The name that requestors use for it")
        let claim = section.readOptional(
            "claim", .claimPath, example: "household", "The claim, or the list of names that leads to it")
        let constant = section.readOptional(
            "constant", .label(1...1024), example: "en", "The same text for every viewer, in place of a claim")
        self.pattern = Self.pattern(section)
        self.isLowercased = section.read("lowercase", .flag, default: false, "Whether letters become lower case")
        self.hash = section.readOptional(
            "hash", .choice([.keyed, .salted]), example: "keyed",
            "keyed for a pseudonym that only this server can make; salted for one that others can make too, with salt")
        self.salt = section.readOptional("salt", .label(1...256), example: "cable-nova", "The salt, if hash is salted")
        let isList = section.read("list", .flag, default: false, "Whether all values count; if false, only the first")
        let entry = section.readOptional(
            "entry", .label(1...64), example: "MPAA", "The name in a map of several rules with the same key")
        if (self.hash == .salted) != (self.salt != nil) {
            section.fault(
                "salt", self.salt == nil ? "is missing; the hash salted needs it" : "belongs to the hash salted alone")
        }
        if isList, entry != nil { section.fault("list", "cannot stand beside entry") }
        self.shape = entry.map { .entry(name: $0) } ?? (isList ? .list : .text)
        guard let key, let source = Self.source(claim, constant, section) else { return nil }
        (self.key, self.source) = (key, source)
        do throws(MappingFault) {
            _ = try self.rule(label: "", hash: nil)
        } catch {
            section.fault(error.setting, "cannot be used: \(error)")
            return nil
        }
    }

    private static func pattern(_ section: SettingsSection) -> (text: String, template: String)? {
        let pattern = section.readOptional(
            "pattern", .label(1...TextPattern.maximumSize), example: "^([0-9]{5})",
            "A regular expression of PCRE2; a text that it does not match is left out")
        let template = section.readOptional(
            "template", .label(1...256), example: "$1",
            "The text that replaces a match, with its groups $1 to $9; needs pattern")
        if template != nil, pattern == nil { section.fault("template", "is set, but pattern is not") }
        return pattern.map { ($0, template ?? "$0") }
    }

    private static func source(
        _ claim: [String]?, _ constant: String?, _ section: SettingsSection
    ) -> MappingRule.Source? {
        switch (claim, constant) {
        case (let path?, nil): return .path(path)
        case (nil, let text?): return .constant(text)
        case (nil, nil), (_?, _?):
            section.fault("claim", "and constant: one of both is needed")
            return nil
        }
    }

    func rule(of mvpd: MVPDID, hash: KeyedHash) throws(MappingFault) -> MappingRule {
        try self.rule(label: "metadata \(mvpd) \(self.key)", hash: hash)
    }

    /// - Parameter hash: `nil` to see whether the rest is right.
    func rule(label: String, hash: KeyedHash?) throws(MappingFault) -> MappingRule {
        var steps: [MappingRule.Step] = []
        if let given = self.pattern {
            let pattern = try TextPattern(given.text)
            steps.append(.pattern(pattern, try PatternTemplate(given.template, for: pattern)))
        }
        if self.isLowercased { steps.append(.lowercased) }
        switch self.hash {
        case .keyed: if let hash { steps.append(.keyedHash(hash, label: label)) }
        case .salted: steps.append(.saltedHash(salt: self.salt ?? ""))
        case nil: break
        }
        return try MappingRule(key: self.key, source: self.source, steps: steps, shape: self.shape)
    }
}

extension MappingFault {
    fileprivate var setting: String {
        switch self {
        case .key, .repeated, .count: "key"
        case .path: "claim"
        case .constant: "constant"
        case .steps, .pattern: "pattern"
        case .template: "template"
        case .entry: "entry"
        }
    }
}
