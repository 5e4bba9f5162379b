import COpenSSL

// RSAES-PKCS1-v1_5 (RFC 8017 section 7.2): short texts for the holder of a programmer's certificate. Only the holder opens
// them, on their own machine: a program that lets strangers learn whether a text opened is the oracle that this padding is
// known for.

extension RSAPublicKey {
    /// Reads an X.509 certificate in PEM with a key of 2048 to 8192 bits. A text of several takes the first.
    /// - Throws: `unusableKey`, also for a key without a certificate.
    package init(certificatePEM: String) throws(CryptographyError) {
        try self.init(KeyHandle(certificatePEM: certificatePEM.utf8))
    }

    /// Encrypts `message`. The same message gives another result each time, always of the key's length.
    /// - Throws: `sealingFailed`, also for a message that is too long: over 245 bytes with a key of 2048 bits.
    package func encrypt(_ message: some Collection<UInt8>) throws(CryptographyError) -> [UInt8] {
        let sealed = unsafe RSAContext(self.handle, EVP_PKEY_encrypt_init)?.transform(message, EVP_PKEY_encrypt)
        guard let sealed else { throw .taking(.sealingFailed, "EVP_PKEY_encrypt") }
        return sealed
    }
}

extension RSAPrivateKey {
    /// Opens what was encrypted for this key.
    /// - Throws: `notAuthentic`, also for a text that was encrypted for another key.
    package func decrypt(_ sealed: some Collection<UInt8>) throws(CryptographyError) -> [UInt8] {
        let message = unsafe RSAContext(self.handle, EVP_PKEY_decrypt_init)?.transform(sealed, EVP_PKEY_decrypt)
        guard let message else { throw .taking(.notAuthentic, "EVP_PKEY_decrypt") }
        return message
    }
}

/// One encryption, decryption or signature under way, freed when it goes out of scope.
@safe struct RSAContext: ~Copyable {
    private let handle: OpaquePointer

    /// - Parameters:
    ///   - begin: `EVP_PKEY_encrypt_init`, `EVP_PKEY_decrypt_init` or `EVP_PKEY_sign_init`.
    ///   - pss: the digest that is signed with RSASSA-PSS; `nil` for the older padding.
    /// - Returns: `nil` when libcrypto lacks memory, or the key cannot do that.
    init?(_ key: KeyHandle, _ begin: (OpaquePointer?) -> Int32, pss: SignatureDigest? = nil) {
        guard let handle = unsafe EVP_PKEY_CTX_new(key.pointer, nil) else { return nil }
        let padding = pss == nil ? RSA_PKCS1_PADDING : RSA_PKCS1_PSS_PADDING
        guard unsafe begin(handle) == 1, unsafe EVP_PKEY_CTX_set_rsa_padding(handle, padding) == 1,
            unsafe pss == nil
                || EVP_PKEY_CTX_set_signature_md(handle, EVP_get_digestbyname(pss?.rawValue)) == 1
                    && EVP_PKEY_CTX_set_rsa_pss_saltlen(handle, RSA_PSS_SALTLEN_DIGEST) == 1
        else {
            unsafe EVP_PKEY_CTX_free(handle)
            return nil
        }
        unsafe self.handle = handle
    }

    deinit { unsafe EVP_PKEY_CTX_free(self.handle) }

    /// - Parameter step: `EVP_PKEY_encrypt`, `EVP_PKEY_decrypt` or `EVP_PKEY_sign`.
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
