import COpenSSL

/// Authenticated encryption with AES-256-GCM (NIST SP 800-38D): for secrets that are kept, such as provider sessions.
///
/// A box is `nonce (12 bytes) ‖ ciphertext ‖ tag (16 bytes)`. Nonces are random, so one key may seal 2³² boxes
/// (section 8.3 there); a server that seals a thousand a second rotates its key every month.
package struct AEAD: Sendable {
    /// The length of a key in bytes.
    package static let keySize = 32
    /// How much longer a box is than what it holds, in bytes.
    package static let overhead = nonceSize + tagSize

    private static let nonceSize = 12
    private static let tagSize = 16

    private let key: Secret

    /// - Throws: `unusableKey` when `key` is not of ``keySize`` bytes.
    package init(key: Secret) throws(CryptographyError) {
        guard key.count == Self.keySize else { throw .unusableKey("a sealing key has 32 bytes") }
        self.key = key
    }

    /// Seals a secret.
    /// - Parameter associated: what the box is for and whom it belongs to, such as `provider-session:` and a record's
    ///   ID. It is not in the box; opening with other bytes fails, so boxes cannot be swapped.
    /// - Throws: `sealingFailed`.
    package func seal(
        _ secret: Secret, authenticating associated: some Collection<UInt8>
    ) throws(CryptographyError) -> [UInt8] {
        try secret.withBytes { bytes throws(CryptographyError) in
            try self.seal(bytes, nonce: SecureRandom.bytes(Self.nonceSize), associated: Array(associated))
        }
    }

    /// Opens a box.
    /// - Throws: `notAuthentic` when it was sealed under another key or with other associated bytes, or is damaged.
    package func open(
        _ box: some Collection<UInt8>, authenticating associated: some Collection<UInt8>
    ) throws(CryptographyError) -> Secret {
        var plain = try self.open(Array(box), associated: Array(associated))
        defer { cleanse(&plain) }
        return Secret(plain)
    }

    /// Seals under a given nonce, which must never be used twice with one key.
    private func seal(_ plain: [UInt8], nonce: [UInt8], associated: [UInt8]) throws(CryptographyError) -> [UInt8] {
        let cipher = CipherContext()
        var body = [UInt8](repeating: 0, count: plain.count)
        var tag = [UInt8](repeating: 0, count: Self.tagSize)
        let done = self.key.withBytes { key in
            cipher.begin(sealing: true, key: key, nonce: nonce) && cipher.associate(associated)
                && cipher.update(plain, into: &body) && cipher.finish() && cipher.readTag(into: &tag)
        }
        guard done else { throw .taking(.sealingFailed, "AES-256-GCM") }
        return nonce + body + tag
    }

    private func open(_ box: [UInt8], associated: [UInt8]) throws(CryptographyError) -> [UInt8] {
        guard box.count >= Self.overhead else {
            throw CryptographyError(code: .notAuthentic, libraryCode: 0, detail: "shorter than a nonce and a tag")
        }
        let nonce = Array(box.prefix(Self.nonceSize))
        let tag = Array(box.suffix(Self.tagSize))
        let body = Array(box.dropFirst(Self.nonceSize).dropLast(Self.tagSize))
        let cipher = CipherContext()
        var plain = [UInt8](repeating: 0, count: body.count)
        let done = self.key.withBytes { key in
            cipher.begin(sealing: false, key: key, nonce: nonce) && cipher.associate(associated)
                && cipher.update(body, into: &plain) && cipher.setTag(tag) && cipher.finish()
        }
        guard done else {
            cleanse(&plain)
            throw .taking(.notAuthentic, "AES-256-GCM")
        }
        return plain
    }
}
