package import Cryptography

/// The key pair that signs a device's requests: a public identifier and a private text (rest-v1 7.2). They are no
/// asymmetric keys, in spite of the names they have on the wire.
package struct KeyPair: Sendable {
    /// 32 characters in practice.
    package let publicKey: String
    /// 16 characters in practice; its UTF-8 bytes are the HMAC key.
    package let privateKey: Secret

    /// - Returns: `nil` unless the public key is 1 to 128 letters and digits or `-._~+/=`, and the private key 1 to 256
    ///   bytes.
    package init?(publicKey: some StringProtocol, privateKey: Secret) {
        guard (1...SignedRequestLayout.maximumKeyLength).contains(publicKey.utf8.count),
            publicKey.utf8.allSatisfy({ isIdentifierByte($0) || ".~+/=".utf8.contains($0) }),
            (1...256).contains(privateKey.count)
        else { return nil }
        self.publicKey = String(publicKey)
        self.privateKey = privateKey
    }

    private init(generatedPublicKey publicKey: String, privateKey: Secret) {
        self.publicKey = publicKey
        self.privateKey = privateKey
    }

    /// Makes a pair of 32 and 16 letters and digits, about 190 and 95 bits.
    package static func random(using generator: inout some RandomNumberGenerator) -> KeyPair {
        KeyPair(
            generatedPublicKey: String(decoding: Self.characters(32, using: &generator), as: UTF8.self),
            privateKey: Secret(Self.characters(16, using: &generator)))
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

    private static func characters(_ count: Int, using generator: inout some RandomNumberGenerator) -> [UInt8] {
        (0..<count).map { _ in Self.alphabet[Int.random(in: 0..<Self.alphabet.count, using: &generator)] }
    }
}
