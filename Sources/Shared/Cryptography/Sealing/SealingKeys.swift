import Synchronization

/// The keys that boxes are sealed with: the first seals, all of them open. They may be exchanged while they are in use.
///
/// A box is `version (1 byte) ‖ key ID (4 bytes) ‖ box of AEAD`. A box that names an unknown key does not open.
package final class SealingKeys: Sendable {
    package struct Key: Sendable {
        /// Four bytes that follow from the key, so that no key can be found under the ID of another.
        package let id: [UInt8]
        let cipher: AEAD

        /// - Throws: `unusableKey` when `key` is not of 32 bytes.
        package init(_ key: Secret) throws(CryptographyError) {
            self.cipher = try AEAD(key: key)
            self.id = Array(try KeyedHash(key: key).hash(of: "latchkey/1/seal-key-id").prefix(SealingKeys.idSize))
        }
    }

    /// The most keys that a set-up may have.
    package static let maximumCount = 16
    /// How much longer a box is than what it holds, in bytes.
    package static let overhead = 1 + idSize + AEAD.overhead

    private static let idSize = 4
    private static let version: UInt8 = 2

    private let keys: Mutex<[Key]>

    /// - Precondition: there is at least one key.
    package init(_ keys: [Key]) {
        precondition(!keys.isEmpty, "something has to seal")
        self.keys = Mutex(keys)
    }

    /// - Precondition: there is at least one key.
    package func replace(with keys: [Key]) {
        precondition(!keys.isEmpty, "something has to seal")
        self.keys.withLock { $0 = keys }
    }

    package var current: Key { self.keys.withLock { $0[0] } }

    package var ids: Set<[UInt8]> { self.keys.withLock { Set($0.map(\.id)) } }

    /// Whether the key that sealed a box is among these.
    package func haveKey(of box: [UInt8]) -> Bool { self.ids.contains(Array(box.dropFirst().prefix(Self.idSize))) }

    package var count: Int { self.keys.withLock(\.count) }

    /// Seals a secret under the first key.
    /// - Parameter associated: what the box is for and whom it belongs to; it opens with the same bytes only.
    /// - Throws: `sealingFailed`.
    package func seal(
        _ secret: Secret, authenticating associated: some Collection<UInt8>
    ) throws(CryptographyError) -> [UInt8] {
        let key = self.current
        let head = [Self.version] + key.id
        return head + (try key.cipher.seal(secret, authenticating: head + associated))
    }

    /// - Throws: `notAuthentic` when its key is not among these, when it was sealed with other associated bytes, or when
    ///   it is damaged.
    package func open(
        _ box: [UInt8], authenticating associated: some Collection<UInt8>
    ) throws(CryptographyError) -> Secret {
        let head = Array(box.prefix(1 + Self.idSize))
        let keys = self.keys.withLock(\.self)
        guard box.count >= Self.overhead, head[0] == Self.version,
            let key = keys.first(where: { $0.id.elementsEqual(head.dropFirst()) })
        else { throw CryptographyError(code: .notAuthentic, libraryCode: 0, detail: "no key opens the box") }
        return try key.cipher.open(box.dropFirst(head.count), authenticating: head + associated)
    }

    package func isCurrent(_ box: [UInt8]) -> Bool { box.starts(with: [Self.version] + self.current.id) }
}
