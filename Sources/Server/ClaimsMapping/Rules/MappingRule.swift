package import Cryptography

/// How one key of user metadata is made.
package struct MappingRule: Sendable {
    package enum Source: Hashable, Sendable {
        /// The values at a path of the provider's names, such as `["address", "postal_code"]`.
        case path([String])
        case constant(String)
    }

    /// A change of each text; in the order of the rule.
    package enum Step: Sendable {
        /// HMAC-SHA256 under a key of the server: a pseudonym that no one else can make or test, 64 hexadecimal digits.
        case keyedHash(KeyedHash, label: String)
        /// SHA-256 over salt and text, 64 hexadecimal digits: for pseudonyms that another system has to make as well.
        case saltedHash(salt: String)
        /// The text that a pattern makes; a text that it does not match is left out.
        case pattern(TextPattern, PatternTemplate)
        case lowercased
    }

    package enum Shape: Hashable, Sendable {
        /// The first one.
        case text
        /// All of them, each once.
        case list
        /// One named text of a map: rules for the same key and different names make one map.
        case entry(name: String)
    }

    /// The key of rest-v1 19.
    package let key: String
    package let source: Source
    package let steps: [Step]
    package let shape: Shape

    /// - Throws: what is wrong with the rule.
    package init(key: String, source: Source, steps: [Step] = [], shape: Shape = .text) throws(MappingFault) {
        guard Self.isName(key, limit: 64) else { throw .key }
        switch source {
        case .path(let names):
            guard (1...8).contains(names.count), names.allSatisfy({ (1...256).contains($0.utf8.count) })
            else { throw .path(key: key) }
        case .constant(let text):
            guard text.utf8.count <= MetadataMapping.maximumTextSize else { throw .constant(key: key) }
        }
        guard steps.count <= 8 else { throw .steps(key: key) }
        if case .entry(let name) = shape, !Self.isName(name, limit: 64) { throw .entry(key: key) }
        self.key = key
        self.source = source
        self.steps = steps
        self.shape = shape
    }

    private static func isName(_ text: String, limit: Int) -> Bool {
        (1...limit).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

/// The fault of a rule; names its key.
package enum MappingFault: Error, Hashable, Sendable {
    case key
    case path(key: String)
    case constant(key: String)
    case steps(key: String)
    case entry(key: String)
    /// A pattern does not compile, or is too large; the place is an offset in its bytes.
    case pattern(place: Int)
    case template
    /// Two rules make one key, and not as entries of one map.
    case repeated(key: String)
    case count
}

extension MappingFault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .key: "a key has 1 to 64 visible ASCII characters"
        case .path(let key): "\(key): a path has 1 to 8 names of 1 to 256 bytes"
        case .constant(let key): "\(key): a constant has at most \(MetadataMapping.maximumTextSize) bytes"
        case .steps(let key): "\(key): at most 8 steps"
        case .entry(let key): "\(key): the name of an entry has 1 to 64 visible ASCII characters"
        case .pattern(let place): "the pattern cannot be used, see its byte \(place)"
        case .template: "a template has at most 256 bytes, and refers to groups of the pattern as $1 to $9"
        case .repeated(let key): "\(key): two rules make the same value"
        case .count: "at most \(MetadataMapping.maximumRules) rules"
        }
    }
}
