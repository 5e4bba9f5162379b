import COpenSSL
import Synchronization

/// The digest of a signature, by its name in libcrypto.
package enum SignatureDigest: String, Hashable, Sendable, CaseIterable {
    case sha256 = "SHA256"
    case sha384 = "SHA384"
    case sha512 = "SHA512"
}

extension KeyHandle {
    /// Signs the SHA-256 of a message: PKCS#1 v1.5 with an RSA key, DER-encoded ECDSA with an EC key.
    /// - Throws: `signingFailed`.
    func signature(for message: Span<UInt8>) throws(CryptographyError) -> [UInt8] {
        // To look the algorithms up takes libcrypto ten times as long as to copy them.
        let beginning = self.beginning.withLock { kept in
            if kept == nil {
                let new = SignatureBeginning()
                let status = unsafe EVP_DigestSignInit_ex(
                    new.context.handle, nil, "SHA256", nil, nil, self.pointer, nil)
                if status == 1 { kept = new }
            }
            return kept
        }
        let signature: [UInt8] = unsafe message.withUnsafeBufferPointer { message in
            guard let beginning else { return [] }
            let context = DigestContext()
            context.resume(from: beginning.context)
            var size = Int(unsafe EVP_PKEY_get_size(self.pointer))
            var signature: [UInt8] = []
            signature.append(addingCapacity: size) { output in
                unsafe output.withUnsafeMutableBufferPointer { place, count in
                    let status = unsafe EVP_DigestSign(
                        context.handle, place.baseAddress, &size, message.baseAddress, message.count)
                    count = status == 1 ? size : 0
                }
            }
            return signature
        }
        guard !signature.isEmpty else { throw .taking(.signingFailed, "EVP_DigestSign") }
        return signature
    }

    /// Whether `signature` is one that ``signature(for:)`` of the private half could have made. Malformed signatures
    /// are simply not valid.
    /// - Parameter digest: `nil` for Ed25519, which takes the message itself (EVP_SIGNATURE-ED25519(7)).
    func isValidSignature(
        _ signature: some Collection<UInt8>, for message: some Collection<UInt8>, _ digest: SignatureDigest? = .sha256
    ) -> Bool {
        let status: Int32 = unsafe withContiguousBytes(of: message) { message in
            unsafe withContiguousBytes(of: signature) { signature in
                let context = DigestContext()
                guard
                    unsafe EVP_DigestVerifyInit_ex(context.handle, nil, digest?.rawValue, nil, nil, self.pointer, nil)
                        == 1
                else { return 0 }
                return unsafe EVP_DigestVerify(
                    context.handle, signature.baseAddress, signature.count, message.baseAddress, message.count)
            }
        }
        // A refusal leaves its reason on the queue, where the next caller would take it for its own.
        if status != 1 { ERR_clear_error() }
        return status == 1
    }
}
