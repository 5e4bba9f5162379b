/// A public key that signatures are checked with, of whichever kind. Malformed signatures are not valid.
package struct VerificationKey: Sendable {
    private let handle: KeyHandle
    private let digest: SignatureDigest?

    /// - Parameter digest: `nil` for Ed25519.
    init(_ handle: KeyHandle, _ digest: SignatureDigest? = .sha256) { (self.handle, self.digest) = (handle, digest) }

    package init(_ key: ECPublicKey) { self.init(key.handle) }
    package init(_ key: RSAPublicKey) { self.init(key.handle) }

    /// Reads a SubjectPublicKeyInfo or an X.509 certificate in PEM: RSA of 2048 to 8192 bits, or EC on P-256.
    /// - Throws: `unusableKey`.
    package init(pem: String) throws(CryptographyError) {
        let handle = try KeyHandle(publicPEM: pem.utf8)
        try handle.require(handle.kind == .rsa ? .rsa : .p256, "neither an RSA key nor EC on P-256")
        self.init(handle)
    }

    /// Reads every key of a text that holds several blocks one after the other, at most ``maximumBundleCount``.
    /// - Throws: `unusableKey` when there is no key, there are too many, or one of them cannot be used or is cut off.
    package static func keys(inBundle pem: String) throws(CryptographyError) -> [VerificationKey] {
        guard pem.utf8.count <= KeyHandle.maximumPEMSize else { throw .unusableKey("a PEM text of more than 64 KiB") }
        var keys: [VerificationKey] = []
        var block: String?
        for line in pem.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("-----BEGIN ") {
                guard block == nil else { break }
                block = ""
            }
            block? += line + "\n"
            guard line.hasPrefix("-----END ") else { continue }
            guard keys.count < Self.maximumBundleCount else { throw .unusableKey("more than 16 keys in one text") }
            keys.append(try VerificationKey(pem: block ?? ""))
            block = nil
        }
        guard block == nil else { throw .unusableKey("a PEM block without its end") }
        guard !keys.isEmpty else { throw .unusableKey("no PEM block in the text") }
        return keys
    }

    /// The most keys read from one text. Each costs a signature check when a token is foreign.
    package static let maximumBundleCount = 16

    /// The key as SubjectPublicKeyInfo in PEM.
    /// - Throws: `libraryFailure`.
    package func pem() throws(CryptographyError) -> String { try self.handle.publicPEM() }

    /// Whether `signature` – PKCS#1 v1.5, DER, or of Ed25519 – was made over `message` by the private half.
    package func isValidSignature(_ signature: some Collection<UInt8>, for message: some Collection<UInt8>) -> Bool {
        self.handle.isValidSignature(signature, for: message, self.digest)
    }
}

/// A private key that signs documents, of whichever kind.
package protocol SigningKey: Sendable {
    /// A signature over the SHA-256 digest of `message`, in the form ``VerificationKey/isValidSignature(_:for:)``
    /// checks: PKCS#1 v1.5 or DER.
    /// - Throws: `signingFailed`.
    func signature(for message: Span<UInt8>) throws(CryptographyError) -> [UInt8]

    var verificationKey: VerificationKey { get }
}

extension SigningKey {
    package func signature(for message: some Collection<UInt8>) throws(CryptographyError) -> [UInt8] {
        try self.signature(for: Array(message).span)
    }
}
