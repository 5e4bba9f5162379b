import Clientless
import Cryptography
import Entitlement

/// User metadata as it leaves the server: what must be encrypted is, and what cannot be is left out (rest-v1 19).
struct ReleasedMetadata: Sendable {
    /// The longest value that is encrypted, in bytes of UTF-8: what the padding leaves of a key of 2048 bits. The same
    /// for larger keys, so that what a requestor gets does not depend on its certificate.
    static let maximumEncryptedSize = 245

    /// Seconds.
    let updated: Int64
    /// The keys whose values are encrypted, in the order of `values`.
    private(set) var encrypted: [String] = []
    private(set) var values: [(key: String, value: MetadataValue)] = []

    /// - Parameter key: of the requestor's certificate, if it has one that can be used.
    init(_ metadata: UserMetadata, key: RSAEncryptionKey?) {
        self.updated = metadata.updated.seconds
        for (name, value) in metadata.values {
            guard metadata.encryptedKeys.contains(name) else {
                self.values.append((name, value))
                continue
            }
            guard let key, let sealed = Self.sealed(value, for: key) else { continue }
            self.encrypted.append(name)
            self.values.append((name, .text(sealed)))
        }
    }

    private static func sealed(_ value: MetadataValue, for key: RSAEncryptionKey) -> String? {
        let clear = self.clearText(of: value)
        guard clear.count <= self.maximumEncryptedSize else { return nil }
        return (try? key.encrypt(clear)).map { Base64.encode($0) }
    }

    /// A text as it is; lists and texts by name as compact JSON.
    private static func clearText(of value: MetadataValue) -> [UInt8] {
        switch value {
        case .text(let text): Array(text.utf8)
        case .list, .map: JSONWriter.bytes(of: WireValue(value))
        }
    }
}

extension WireValue {
    init(_ value: MetadataValue) {
        switch value {
        case .text(let text): self = .string(text)
        case .list(let texts): self = .array(texts.map { .string($0) })
        case .map(let entries):
            self = .object(WireObject(entries.map { .init($0.name, .string($0.value), only: .of($0.name)) }))
        }
    }
}

extension WireDocument {
    /// rest-v1 19. Keys are a provider's own words: one that cannot name an element is shown by JSON alone.
    static func userMetadata(_ metadata: ReleasedMetadata) -> WireDocument {
        let encrypted = metadata.encrypted.map { WireValue.string($0) }
        let data = metadata.values.map { name, value in
            WireObject.Member(name, WireValue(value), only: .of(name))
        }
        return WireDocument(
            "userMetadata",
            WireObject([
                .init("updated", .integer(metadata.updated)), .init("encrypted", .array(encrypted), only: .json),
                .init("encrypted", .object(WireObject([.init("key", .array(encrypted))])), only: .xml),
                .init("data", .object(WireObject(data))),
            ]))
    }
}

extension WireFormat? {
    /// The forms that can show a member called `name`.
    fileprivate static func of(_ name: String) -> WireFormat? { XMLName.isName(name) ? nil : .json }
}
