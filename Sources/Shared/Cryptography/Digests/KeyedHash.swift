/// HMAC-SHA256 under a key of the server: what is stored in place of a token, a code or a device ID.
///
/// A guesser with the stored hashes but without the key cannot test guesses against them.
package struct KeyedHash: Sendable {
    /// The length of a key in bytes.
    package static let keySize = 32

    private let key: HMACKey

    /// - Throws: `unusableKey` when `key` is not of ``keySize`` bytes.
    package init(key: Secret) throws(CryptographyError) {
        guard key.count == Self.keySize else { throw .unusableKey("a hashing key has 32 bytes") }
        self.key = HMACKey(key, hash: .sha256)
    }

    /// The hash, 32 bytes.
    package func hash(of bytes: some Collection<UInt8>) -> [UInt8] { self.key.authenticationCode(for: bytes) }

    package func hash(of text: String) -> [UInt8] { self.key.authenticationCode(for: text.utf8) }
}

/// The SHA-256 of bytes that come in pieces, such as those of a file too large for memory.
package struct RunningDigest: ~Copyable {
    private let context: DigestContext

    package init() {
        self.context = DigestContext()
        self.context.begin(.sha256)
    }

    package mutating func add(_ bytes: [UInt8]) { unsafe bytes.withUnsafeBytes { unsafe self.context.update($0) } }

    /// The digest of all bytes, 32 bytes.
    package consuming func finish() -> [UInt8] {
        let size = DigestAlgorithm.sha256.size
        return unsafe [UInt8](unsafeUninitializedCapacity: size) { digest, count in
            unsafe self.context.finish(into: digest)
            count = size
        }
    }
}
