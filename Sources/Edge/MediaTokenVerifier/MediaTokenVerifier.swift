// MediaTokenVerifier: for playback back ends. Says whether a media token is genuine, current and for the asked
// resource (rest-v1 22.5).
//
// It leaves to its neighbours: keeping track of tokens already used.

import Clientless
import Cryptography
public import FoundationEssentials

/// Says whether a short media token is genuine, current and for the resource that is about to be played.
///
/// Make one verifier for each requestor when your back end starts, and share it between threads; it keeps no state. It
/// needs no network: only the public key of the service, which the service publishes at
/// `/.well-known/media-token-key.pem`. Fetch it every few minutes, and make a new verifier when it changed: a new key
/// is published only 15 minutes before it signs, unless the operator of the service set another time.
///
/// ```swift
/// let verifier = try MediaTokenVerifier(requestor: "NORTHSPORT", trustedKeys: [publishedKeys])
/// let verification = verifier.verify(token, resource: "North Sport HD")
/// guard verification.isValid else { return .forbidden(verification.result.rawValue) }
/// ```
///
/// A token is good for one playback. The verifier does not remember which it has seen; see ``MediaToken/fingerprint``.
public struct MediaTokenVerifier: Sendable {
    /// The longest token looked at, in bytes.
    public static let maximumTokenLength = 131_072

    private let requestor: RequestorID
    private let trustedKeys: [VerificationKey]

    /// Makes a verifier.
    /// - Parameters:
    ///   - requestor: the requestor ID your application was registered under, compared with its case.
    ///   - trustedKeys: the public keys, each a text in PEM: `PUBLIC KEY` or `CERTIFICATE`, RSA of 2048 to 8192 bits or
    ///     EC on P-256. While the service changes its key give the new and the old one; a text may hold several. Of a
    ///     certificate only the key is used.
    /// - Throws: `invalidRequestor`, `noTrustedKey`, `unusableKey(at:)`.
    public init(requestor: String, trustedKeys: [String]) throws(MediaTokenVerifierError) {
        guard let requestor = RequestorID(requestor) else { throw .invalidRequestor }
        var keys: [VerificationKey] = []
        for (index, pem) in trustedKeys.enumerated() {
            guard let bundle = try? VerificationKey.keys(inBundle: pem) else { throw .unusableKey(at: index) }
            keys += bundle
        }
        guard !keys.isEmpty else { throw .noTrustedKey }
        self.requestor = requestor
        self.trustedKeys = keys
    }

    /// Checks a token.
    /// - Parameters:
    ///   - token: as your player sent it: Base 64, or the document itself if something on the way has decoded it.
    ///   - resource: the resource that is about to be played, or `nil` when any will do.
    ///   - now: the time of your back end's clock.
    public func verify(_ token: String, resource: String? = nil, at now: Date = Date()) -> MediaTokenVerification {
        let verifications = TokenText.documents(from: token).map { self.verify($0, resource: resource, at: now) }
        // The genuine one of two readings of one text counts, then the one that is a token at all.
        return verifications.first { $0.token != nil } ?? verifications.first { $0.result == .invalidSignature }
            ?? MediaTokenVerification(result: .invalidTokenFormat, token: nil)
    }

    private func verify(_ document: SignedTokenDocument, resource: String?, at now: Date) -> MediaTokenVerification {
        guard let content = try? MediaTokenDocument(element: document.element), content.requestor == self.requestor
        else { return MediaTokenVerification(result: .invalidTokenFormat, token: nil) }
        guard document.isSigned(byOneOf: self.trustedKeys) else {
            return MediaTokenVerification(result: .invalidSignature, token: nil)
        }
        return MediaTokenVerification(
            result: Self.result(for: content, resource: resource, at: Self.timestamp(now)),
            token: MediaToken(content, element: document.element))
    }

    /// The checks after the signature, in the order of rest-v1 22.5.
    private static func result(
        for content: MediaTokenDocument, resource: String?, at now: Timestamp
    ) -> VerificationResult {
        guard !content.isExpired(at: now) else { return .tokenExpired }
        guard let resource else { return .validToken }
        // An empty expectation is no resource, so no token can be for it.
        guard let expected = Resource(resource), expected == content.resource else { return .invalidResourceID }
        return .validToken
    }

    /// A date may hold infinity or what no integer holds.
    private static func timestamp(_ date: Date) -> Timestamp {
        // A date holds a millisecond to a quarter of a thousandth; what misses one by less has reached it.
        let milliseconds = (date.timeIntervalSince1970 * 1000 + 0.01).rounded(.down)
        guard let exact = Int64(exactly: milliseconds) else {
            return Timestamp(milliseconds: milliseconds < 0 ? .min : .max)
        }
        return Timestamp(milliseconds: exact)
    }
}
