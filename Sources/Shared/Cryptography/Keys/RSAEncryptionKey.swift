import COpenSSL

/// The RSA key of a programmer's certificate, for which short texts are encrypted: RSAES-PKCS1-v1_5 (RFC 8017 section 7.2).
///
/// There is no decrypting here. Only the holder of the private key can, and a server that did it for strangers would be
/// the oracle that this padding is known for. Usable from several threads at once.
package struct RSAEncryptionKey: Sendable {
    private let handle: KeyHandle

    /// Reads an X.509 certificate in PEM with a key of 2048 to 8192 bits. A text of several takes the first.
    /// - Throws: `unusableKey`, also for a key without a certificate.
    package init(certificatePEM: String) throws(CryptographyError) {
        let handle = try KeyHandle(certificatePEM: certificatePEM.utf8)
        try handle.require(.rsa, "not an RSA key")
        self.handle = handle
    }

    /// Encrypts `message`. The same message gives another result each time, always of the key's length.
    /// - Throws: `sealingFailed`, also for a message that is too long: over 245 bytes with a key of 2048 bits.
    package func encrypt(_ message: some Collection<UInt8>) throws(CryptographyError) -> [UInt8] {
        let sealed = unsafe RSAContext(self.handle, EVP_PKEY_encrypt_init)?.transform(message, EVP_PKEY_encrypt)
        guard let sealed else { throw .taking(.sealingFailed, "EVP_PKEY_encrypt") }
        return sealed
    }
}

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
        try handle.require(.rsa, "not an RSA key")
        self.handle = handle
    }

    /// Opens what was encrypted for this key.
    /// - Throws: `notAuthentic`, also for a text that was encrypted for another key.
    package func decrypt(_ sealed: some Collection<UInt8>) throws(CryptographyError) -> [UInt8] {
        let message = unsafe RSAContext(self.handle, EVP_PKEY_decrypt_init)?.transform(sealed, EVP_PKEY_decrypt)
        guard let message else { throw .taking(.notAuthentic, "EVP_PKEY_decrypt") }
        return message
    }
}

/// One encryption or decryption under way, freed when it goes out of scope.
@safe private struct RSAContext: ~Copyable {
    private let handle: OpaquePointer

    /// - Parameter begin: `EVP_PKEY_encrypt_init` or `EVP_PKEY_decrypt_init`.
    /// - Returns: `nil` when libcrypto lacks memory, or the key cannot do that.
    init?(_ key: KeyHandle, _ begin: (OpaquePointer?) -> Int32) {
        guard let handle = unsafe EVP_PKEY_CTX_new(key.pointer, nil) else { return nil }
        guard unsafe begin(handle) == 1, unsafe EVP_PKEY_CTX_set_rsa_padding(handle, RSA_PKCS1_PADDING) == 1 else {
            unsafe EVP_PKEY_CTX_free(handle)
            return nil
        }
        unsafe self.handle = handle
    }

    deinit { unsafe EVP_PKEY_CTX_free(self.handle) }

    /// - Parameter step: `EVP_PKEY_encrypt` or `EVP_PKEY_decrypt`.
    /// - Returns: `nil` when libcrypto refused.
    func transform(
        _ bytes: some Collection<UInt8>,
        _ step: (
            OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Int>?, UnsafePointer<UInt8>?, Int
        ) -> Int32
    ) -> [UInt8]? {
        unsafe withContiguousBytes(of: bytes) { bytes in
            var size = 0
            guard unsafe step(self.handle, nil, &size, bytes.baseAddress, bytes.count) == 1 else { return nil }
            var result = [UInt8](repeating: 0, count: size)
            guard unsafe step(self.handle, &result, &size, bytes.baseAddress, bytes.count) == 1 else { return nil }
            result.removeLast(result.count - size)
            return result
        }
    }
}
