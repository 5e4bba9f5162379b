import COpenSSL

/// A sealing key derived from a passphrase with scrypt (RFC 7914), so that guessing passphrases is slow.
package struct PassphraseKey: Sendable {
    /// The cost of a guess; kept beside the box, because the key can only be found again with the same numbers.
    package struct Cost: Hashable, Sendable {
        /// scrypt's N is two to this power; memory is 1 KiB times N.
        package let exponent: Int

        /// 64 MiB and about a quarter of a second.
        package static let usual = Cost(exponent: 16)
        /// The accepted range of a file: no less than 16 MiB and no more than 1 GiB.
        private static let accepted = 14...20

        fileprivate init(exponent: Int) {
            self.exponent = exponent
        }

        /// - Returns: `nil` for a cost that is too low to protect anything or too high to be paid.
        package init?(checking exponent: Int) {
            guard Self.accepted.contains(exponent) else { return nil }
            self.exponent = exponent
        }
    }

    /// The length of a salt in bytes.
    package static let saltSize = 16

    package let cipher: AEAD

    /// - Throws: `libraryFailure` when there is not enough memory.
    package init(_ passphrase: Secret, salt: [UInt8], cost: Cost) throws(CryptographyError) {
        var key = [UInt8](repeating: 0, count: AEAD.keySize)
        defer { cleanse(&key) }
        let rounds = UInt64(1) << UInt64(cost.exponent)
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
