import COpenSSL

/// A sealing key derived from a passphrase with scrypt (RFC 7914), so that guessing passphrases is slow.
package struct PassphraseKey: Sendable {
    /// The usual cost of a guess: 64 MiB and about a quarter of a second.
    package static let usualCost: UInt8 = 16
    /// The costs that protect something and can be paid: no less than 16 MiB and no more than 1 GiB.
    private static let acceptedCosts: ClosedRange<UInt8> = 14...20
    /// The length of a salt in bytes.
    package static let saltSize = 16

    package let cipher: AEAD

    /// - Parameter cost: scrypt's N is two to this power, and memory 1 KiB times N. Kept beside the box, because the key can
    ///   only be found again with the same number.
    /// - Throws: `unusableKey` for a cost that is not accepted, `libraryFailure` when there is not enough memory.
    package init(_ passphrase: Secret, salt: [UInt8], cost: UInt8) throws(CryptographyError) {
        guard Self.acceptedCosts.contains(cost) else { throw .unusableKey("scrypt at a cost of 2^14 to 2^20") }
        var key = [UInt8](repeating: 0, count: AEAD.keySize)
        defer { cleanse(&key) }
        let rounds = UInt64(1) << cost
        // EVP_PBE_scrypt(3): "maxmem" bounds 128·r·(N+p) bytes and a little more.
        let memory = 128 * 8 * (rounds + 64)
        let status = passphrase.withBytes { bytes in
            unsafe bytes.withUnsafeBytes { pass in
                unsafe EVP_PBE_scrypt(
                    pass.baseAddress?.assumingMemoryBound(to: CChar.self), pass.count, salt, salt.count, rounds, 8, 1,
                    memory, &key, key.count)
            }
        }
        guard status == 1 else { throw .taking(.libraryFailure, "EVP_PBE_scrypt") }
        self.cipher = try AEAD(key: Secret(key))
    }
}
