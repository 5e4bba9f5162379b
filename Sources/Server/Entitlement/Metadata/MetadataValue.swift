package import Clientless

/// A value of user metadata: a text, a list of texts, or texts by name (rest-v1 19).
package enum MetadataValue: Hashable, Sendable, Decodable {
    case text(String)
    case list([String])
    /// In the order they are shown.
    case map([MetadataEntry])

    /// As the compiler's own coding has it.
    var json: JSONValue {
        switch self {
        case .text(let text): ["text": ["_0": .string(text)]]
        case .list(let texts): ["list": ["_0": .texts(texts)]]
        case .map(let entries):
            ["map": ["_0": .array(entries.map { ["name": .string($0.name), "value": .string($0.value)] })]]
        }
    }
}

extension [String: MetadataValue] {
    package var json: JSONValue { .object(self.map { JSONValue.Member($0.key, $0.value.json) }) }
}

/// One named text of a ``MetadataValue/map(_:)``.
package struct MetadataEntry: Hashable, Sendable, Decodable {
    package let name: String
    package let value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// The metadata of a signed-in viewer that a requestor may know, before encryption (rest-v1 19).
package struct UserMetadata: Hashable, Sendable {
    /// When the sign-in, or a later change, set it.
    package let updated: Timestamp
    /// In the order of rest-v1 19.
    package let values: [(key: String, value: MetadataValue)]
    /// The keys whose values leave the server encrypted for the programmer.
    package let encryptedKeys: Set<String>

    package init(updated: Timestamp, values: [(key: String, value: MetadataValue)], encryptedKeys: Set<String>) {
        self.updated = updated
        self.values = values
        self.encryptedKeys = encryptedKeys
    }

    package static func == (left: UserMetadata, right: UserMetadata) -> Bool {
        left.updated == right.updated && left.encryptedKeys == right.encryptedKeys
            && left.values.elementsEqual(right.values) { $0.key == $1.key && $0.value == $1.value }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(self.updated)
        for (key, value) in self.values {
            hasher.combine(key)
            hasher.combine(value)
        }
    }
}
