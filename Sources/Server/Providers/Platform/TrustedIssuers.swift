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

    /// - Throws: what is wrong with the metadata; `libraryFailed`.
    func issuer(metadata: String, audience: String, recipient: String) throws(AssertionFault) -> TrustedIssuer {
        let key = Key(metadata: metadata, audience: audience, recipient: recipient)
        if let issuer = self.issuers.withLock({ $0[key] }) { return issuer }
        let issuer = try TrustedIssuer(
            IssuerMetadata(metadata), audience: audience, recipient: recipient,
            privateKeys: self.privateKey.map { [$0] } ?? [])
        self.issuers.withLock { $0[key] = issuer }
        return issuer
    }
}
