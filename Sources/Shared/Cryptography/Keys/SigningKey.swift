/// A private key that signs documents, of whichever kind.
package protocol SigningKey: Sendable {
    /// A signature over the SHA-256 digest of `message`, in the form ``VerificationKey/isValidSignature(_:for:)``
    /// checks: PKCS#1 v1.5 or DER.
    /// - Throws: `signingFailed`.
    func signature(for message: some Collection<UInt8>) throws(CryptographyError) -> [UInt8]

    /// The public half.
    var verificationKey: VerificationKey { get }
}
