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

    /// - Parameter associated: what the box is for and whom it belongs to, such as `provider-session:` and a record's
    ///   ID. It is not in the box; opening with other bytes fails, so boxes cannot be swapped.
    /// - Throws: `sealingFailed`.
    package func seal(
        _ secret: Secret, authenticating associated: some Collection<UInt8>
    ) throws(CryptographyError) -> [UInt8] {
        let (nonce, associated) = (SecureRandom.bytes(Self.nonceSize), Array(associated))
        let cipher = CipherContext()
        var body = [UInt8](repeating: 0, count: secret.count)
        var tag = [UInt8](repeating: 0, count: Self.tagSize)
        let done = secret.withBytes { plain in
            self.key.withBytes { key in
                cipher.begin(sealing: true, key: key, nonce: nonce) && cipher.associate(associated)
                    && cipher.update(plain, into: &body) && cipher.finish() && cipher.readTag(into: &tag)
            }
        }
        guard done else { throw .taking(.sealingFailed, "AES-256-GCM") }
        return nonce + body + tag
    }

    /// - Throws: `notAuthentic` when it was sealed under another key or with other associated bytes, or is damaged.
    package func open(
        _ box: some Collection<UInt8>, authenticating associated: some Collection<UInt8>
    ) throws(CryptographyError) -> Secret {
        guard box.count >= Self.overhead else {
            throw CryptographyError(code: .notAuthentic, libraryCode: 0, detail: "shorter than a nonce and a tag")
        }
        let (nonce, tag) = (Array(box.prefix(Self.nonceSize)), Array(box.suffix(Self.tagSize)))
        let (body, associated) = (Array(box.dropFirst(Self.nonceSize).dropLast(Self.tagSize)), Array(associated))
        let cipher = CipherContext()
        var plain = [UInt8](repeating: 0, count: body.count)
        defer { cleanse(&plain) }
        let done = self.key.withBytes { key in
            cipher.begin(sealing: false, key: key, nonce: nonce) && cipher.associate(associated)
                && cipher.update(body, into: &plain) && cipher.setTag(tag) && cipher.finish()
        }
        guard done else { throw .taking(.notAuthentic, "AES-256-GCM") }
        return Secret(plain)
    }
}
