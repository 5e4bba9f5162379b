import COpenSSL

/// The RSA key of a programmer's certificate, for which short texts are encrypted: RSAES-PKCS1-v1_5 (RFC 8017 section 7.2).
///
/// There is no decrypting here. Only the holder of the private key can, and a server that did it for strangers would be
/// the oracle that this padding is known for. Usable from several threads at once.
package struct RSAEncryptionKey: Sendable {
    /// The padding's part of the key's length, in bytes.
    private static let padding = 11

    private let handle: KeyHandle

    /// Reads an X.509 certificate in PEM with a key of 2048 to 8192 bits. A text of several takes the first.
    /// - Throws: `unusableKey`, also for a key without a certificate.
    package init(certificatePEM: String) throws(CryptographyError) {
        let handle = try KeyHandle(certificatePEM: certificatePEM.utf8)
        try handle.require({ $0.isRSA }, "not an RSA key")
        self.handle = handle
    }

    /// Encrypts `message`. The same message gives another result each time, always of the key's length.
    /// - Throws: `sealingFailed`, also for a message that is too long: over 245 bytes with a key of 2048 bits.
    package func encrypt(_ message: some Collection<UInt8>) throws(CryptographyError) -> [UInt8] {
        let sealed: [UInt8]? = unsafe withContiguousBytes(of: message) { message in
            guard let context = EncryptionContext(self.handle) else { return nil }
            var size = Int(unsafe EVP_PKEY_get_size(self.handle.pointer))
            var sealed = [UInt8](repeating: 0, count: size)
            guard
                unsafe EVP_PKEY_encrypt(context.handle, &sealed, &size, message.baseAddress, message.count) == 1
            else { return nil }
            sealed.removeLast(sealed.count - size)
            return sealed
        }
        guard let sealed else { throw .taking(.sealingFailed, "EVP_PKEY_encrypt") }
        return sealed
    }
}

/// One encryption under way, freed when it goes out of scope.
@safe private struct EncryptionContext: ~Copyable {
    let handle: OpaquePointer

    /// - Returns: `nil` when libcrypto lacks memory, or the key cannot encrypt.
    init?(_ key: KeyHandle) {
        guard let handle = unsafe EVP_PKEY_CTX_new(key.pointer, nil) else { return nil }
        guard unsafe EVP_PKEY_encrypt_init(handle) == 1,
            unsafe EVP_PKEY_CTX_set_rsa_padding(handle, RSA_PKCS1_PADDING) == 1
        else {
            unsafe EVP_PKEY_CTX_free(handle)
            return nil
        }
        unsafe self.handle = handle
    }

    deinit { unsafe EVP_PKEY_CTX_free(self.handle) }
}
