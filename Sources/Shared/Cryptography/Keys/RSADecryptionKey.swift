import COpenSSL

/// The private key of a programmer's certificate, which opens short texts: RSAES-PKCS1-v1_5 (RFC 8017 section 7.2).
///
/// For the holder of the key alone, on their own machine: a program that lets strangers learn whether a text opened is the
/// oracle this padding is known for.
package struct RSADecryptionKey: Sendable {
    private let handle: KeyHandle

    /// Reads an unencrypted private key in PEM, PKCS#8 or the older form, of 2048 to 8192 bits.
    /// - Throws: `unusableKey`.
    package init(pem: Secret) throws(CryptographyError) {
        let handle = try KeyHandle(privatePEM: pem)
        try handle.require({ $0.isRSA }, "not an RSA key")
        self.handle = handle
    }

    /// Opens what was encrypted for this key.
    /// - Throws: `notAuthentic`, also for a text that was encrypted for another key.
    package func decrypt(_ sealed: some Collection<UInt8>) throws(CryptographyError) -> [UInt8] {
        let message: [UInt8]? = unsafe withContiguousBytes(of: sealed) { sealed in
            guard let context = DecryptionContext(self.handle) else { return nil }
            var size = Int(unsafe EVP_PKEY_get_size(self.handle.pointer))
            var message = [UInt8](repeating: 0, count: size)
            guard unsafe EVP_PKEY_decrypt(context.handle, &message, &size, sealed.baseAddress, sealed.count) == 1
            else { return nil }
            message.removeLast(message.count - size)
            return message
        }
        guard let message else { throw .taking(.notAuthentic, "EVP_PKEY_decrypt") }
        return message
    }
}

/// One decryption under way, freed when it goes out of scope.
@safe private struct DecryptionContext: ~Copyable {
    let handle: OpaquePointer

    /// - Returns: `nil` when libcrypto lacks memory, or the key cannot decrypt.
    init?(_ key: KeyHandle) {
        guard let handle = unsafe EVP_PKEY_CTX_new(key.pointer, nil) else { return nil }
        guard unsafe EVP_PKEY_decrypt_init(handle) == 1,
            unsafe EVP_PKEY_CTX_set_rsa_padding(handle, RSA_PKCS1_PADDING) == 1
        else {
            unsafe EVP_PKEY_CTX_free(handle)
            return nil
        }
        unsafe self.handle = handle
    }

    deinit { unsafe EVP_PKEY_CTX_free(self.handle) }
}
