import COpenSSL

extension KeyHandle {
    /// Signs the SHA-256 digest of a message: PKCS#1 v1.5 with an RSA key, DER-encoded ECDSA with an EC key.
    /// - Throws: `signingFailed`.
    func signature(for message: some Collection<UInt8>) throws(CryptographyError) -> [UInt8] {
        let signature: [UInt8]? = unsafe withContiguousBytes(of: message) { message in
            let context = DigestContext()
            guard
                unsafe EVP_DigestSignInit_ex(context.handle, nil, "SHA256", nil, nil, self.pointer, nil) == 1
            else { return nil }
            var size = Int(unsafe EVP_PKEY_get_size(self.pointer))
            var signature = [UInt8](repeating: 0, count: size)
            guard
                unsafe EVP_DigestSign(context.handle, &signature, &size, message.baseAddress, message.count) == 1
            else { return nil }
            signature.removeLast(signature.count - size)
            return signature
        }
        guard let signature else { throw .taking(.signingFailed, "EVP_DigestSign") }
        return signature
    }

    /// Whether `signature` is one that ``signature(for:)`` of the private half could have made. Malformed signatures
    /// are simply not valid.
    /// - Parameter isHashed: false for Ed25519, which signs the message itself: "the digest type parameter must be set to
    ///   NULL" (EVP_SIGNATURE-ED25519(7)).
    func isValidSignature(
        _ signature: some Collection<UInt8>, for message: some Collection<UInt8>, isHashed: Bool = true
    ) -> Bool {
        let status: Int32 = unsafe withContiguousBytes(of: message) { message in
            unsafe withContiguousBytes(of: signature) { signature in
                let context = DigestContext()
                var begun: Int32 = 0
                if isHashed {
                    begun = unsafe EVP_DigestVerifyInit_ex(
                        context.handle, nil, "SHA256", nil, nil, self.pointer, nil)
                } else {
                    begun = unsafe EVP_DigestVerifyInit_ex(context.handle, nil, nil, nil, nil, self.pointer, nil)
                }
                guard begun == 1 else { return 0 }
                return unsafe EVP_DigestVerify(
                    context.handle, signature.baseAddress, signature.count, message.baseAddress, message.count)
            }
        }
        // A refusal leaves its reason on the queue, where the next caller would take it for its own.
        if status != 1 { ERR_clear_error() }
        return status == 1
    }
}
