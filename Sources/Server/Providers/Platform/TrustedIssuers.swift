import Cryptography
import Synchronization

/// The issuers met so far. They come from the configuration, so there are few.
final class TrustedIssuers: Sendable {
    private struct Key: Hashable {
        let metadata: String
        let audience: String
        let recipient: String
    }

    private let privateKey: Secret?
    private let issuers = Mutex<[Key: TrustedIssuer]>([:])

    init(privateKey: Secret?) {
        self.privateKey = privateKey
    }

    /// - Throws: as ``TrustedIssuer/init(metadata:audience:recipient:privateKey:)``.
    func issuer(metadata: String, audience: String, recipient: String) throws(AssertionFault) -> TrustedIssuer {
        let key = Key(metadata: metadata, audience: audience, recipient: recipient)
        if let issuer = self.issuers.withLock({ $0[key] }) { return issuer }
        let issuer = try TrustedIssuer(
            metadata: metadata, audience: audience, recipient: recipient, privateKey: self.privateKey)
        self.issuers.withLock { $0[key] = issuer }
        return issuer
    }
}
