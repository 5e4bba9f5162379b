package import Clientless
package import Cryptography
package import Entitlement
import Synchronization

/// Platform SSO answers verified with lasso against the issuer an integration names (rest-v1 21.2, 13.4).
///
/// The library verifies signatures and decrypts; to verify it is given what ``SAMLDocument`` wrote, never the bytes that came.
/// Decrypted content has to keep to the same rules before any of it counts. This type checks the assertion itself, on
/// the very XML the signature covers and against the caller's clock. The library is initialised at its first use.
package final class LassoPlatformAssertions: PlatformAssertions {
    private let privateKey: Secret?
    private let rules: SignatureRules
    /// The issuers met so far, by metadata, audience and recipient. They come from the configuration, so there are few.
    private let issuers = Mutex<[[String]: TrustedIssuer]>([:])
    private let queue: AssertionQueue

    /// - Parameter privateKey: the RSA key, in unencrypted PEM, whose certificate issuers encrypt assertions for. Without one,
    ///   encrypted assertions are refused.
    /// - Throws: the key cannot be used. The detail is a sentence for operators.
    package init(
        privateKey: Secret? = nil, acceptsSHA1: Bool = false, queue: AssertionQueue = .shared
    ) throws(ProviderError) {
        do throws(CryptographyError) {
            // Read and written again: the library would ask the terminal for the pass phrase of an encrypted key.
            self.privateKey = try privateKey.map { key throws(CryptographyError) in try RSAPrivateKey(pem: key).pem() }
        } catch {
            throw AssertionFault.unusablePrivateKey.providerError
        }
        self.rules = SignatureRules(acceptsSHA1: acceptsSHA1)
        self.queue = queue
    }

    /// Whether responses can be verified for a boarding at all; for the check of the configuration at start.
    ///
    /// Takes some 15 ms on the calling thread, and about 50 more the first time.
    /// - Throws: no issuer metadata, or one that cannot be used. The detail is a sentence for operators.
    package func check(_ boarding: PlatformBoarding) throws(ProviderError) {
        do throws(AssertionFault) {
            _ = try self.made(Self.metadata(of: boarding), audience: "urn:latchkey", recipient: "https://localhost/")
        } catch {
            throw error.providerError
        }
    }

    package func verify(
        _ response: [UInt8], for boarding: PlatformBoarding, audience: String, recipient: String, now: Timestamp
    ) async throws(ProviderError) -> PlatformAssertion {
        do throws(AssertionFault) {
            // Before it waits with others, who would fill the memory if each could be of any size.
            let text = try SAMLText(response, maximumSize: PlatformBoarding.maximumLength)
            let metadata = try Self.metadata(of: boarding)
            return try await self.queue.perform { () throws(AssertionFault) in
                let issuer = try self.issuer(metadata, audience: audience, recipient: recipient)
                let rules = AssertionRules(issuer: issuer.entityID, audience: audience, recipient: recipient, now: now)
                return try self.verify(text, from: issuer, by: rules)
            }
        } catch {
            throw error.providerError
        }
    }

    private func issuer(
        _ metadata: String, audience: String, recipient: String
    ) throws(AssertionFault) -> TrustedIssuer {
        let key = [metadata, audience, recipient]
        if let issuer = self.issuers.withLock({ $0[key] }) { return issuer }
        let issuer = try self.made(metadata, audience: audience, recipient: recipient)
        self.issuers.withLock { $0[key] = issuer }
        return issuer
    }

    private func made(_ metadata: String, audience: String, recipient: String) throws(AssertionFault) -> TrustedIssuer {
        try TrustedIssuer(
            IssuerMetadata(metadata), audience: audience, recipient: recipient,
            privateKeys: self.privateKey.map { [$0] } ?? [])
    }

    private static func metadata(of boarding: PlatformBoarding) throws(AssertionFault) -> String {
        guard let metadata = boarding.issuerMetadata else { throw .missingMetadata }
        return metadata
    }

    private func verify(
        _ text: SAMLText, from issuer: TrustedIssuer, by rules: AssertionRules
    ) throws(AssertionFault) -> PlatformAssertion {
        let document = try SAMLDocument(text)
        let shape = try ResponseShape(successful: document.root, rules: self.rules)
        try rules.requireAddress(of: document.root)
        let assertion = try shape.verifiedAssertion(of: document, from: issuer, by: self.rules)
        let facts = try rules.facts(of: assertion)
        let login = ProviderLogin(
            upstreamUserID: facts.name.text, session: ProviderSession(account: facts.name.text),
            metadata: AssertionAttributes.metadata(from: facts.attributes))
        return (login, facts.id, issuer.entityID, facts.acceptableUntil, facts.sessionEnd)
    }
}
