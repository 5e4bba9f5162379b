package import Entitlement
import HTTPClient
import OpenIDConnect

/// Why a SAML response, or the configuration to check it with, was not taken. For operators: it holds no word of the
/// response, and the device that sent it learns only that it was refused.
package struct AssertionFault: Error, Hashable, Sendable {
    private let text: String
    /// The library's own number of the fault.
    private var code: Int32?
    /// The party that has to act, in a sign-in or a logout at a provider with SAML.
    private(set) var trouble = ProviderError.Kind.unproven
    /// Whether there was an answer, and it is nothing that a provider says.
    package private(set) var isGarbage = false
    /// Whether newer keys of the provider may verify the message.
    private(set) var mayBeOfOtherKeys = false
    private(set) var status: SAMLStatus?

    /// Whether there was no answer, or one that says to come back later.
    package var isUnreachable: Bool { self.trouble == .unreachable }

    static let busy = Self(text: "too many responses wait to be verified", trouble: .failed)
    static func libraryMissing(name: String) -> Self {
        Self(text: "\(name) is missing; it comes with Debian's package liblasso3", trouble: .misconfigured)
    }
    static func libraryFailed(call: String, code: Int32) -> Self {
        Self(text: "\(call) failed", code: code, trouble: .misconfigured)
    }

    // The text
    static let tooLarge = Self(text: "the document is too large, or too large for so many keys of its issuer")
    static let notXML = Self(text: "the document is not XML in UTF-8")
    static let documentType = Self(text: "the document declares a document type or entities")
    static let tooComplex = Self(text: "the document has too many elements, or too deep ones")
    static let foreignContent = Self(text: "the document holds comments or instructions")
    static let unknownElement = Self(text: "the document holds an element that responses are not made of")

    // The shape
    static let notResponse = Self(text: "the document is not a Response of SAML 2.0")
    static let assertionCount = Self(text: "the response has not exactly one assertion, directly inside")
    static let missingID = Self(text: "an element that may be signed has no ID")
    static let repeatedID = Self(text: "two elements have the same ID")
    static let misplacedSignature = Self(
        text: "a signature is elsewhere than directly inside the response or the assertion")
    static let signatureReference = Self(text: "a signature covers something else than the element it is in")
    static let signatureAlgorithm = Self(
        text: "a signature is made in a way that is not accepted here, such as with SHA-1")
    static let externalReference = Self(text: "the response refers to something outside of itself")

    // The proof
    static let unsigned = Self(text: "neither the response nor the assertion is signed")
    static let assertionUnsigned = Self(
        text: "only the response is signed, and not the assertion in it; the setting signedResponseSuffices takes that")
    static let missingPrivateKey = Self(
        text: "the assertion, or a name, is encrypted, and no private key is configured", trouble: .misconfigured)
    static func unverified(code: Int32) -> Self {
        Self(text: "the response was not verified", code: code, mayBeOfOtherKeys: true)
    }
    static let substituted = Self(text: "the assertion is not the one that was verified")
    static let undecipherable = Self(text: "what is encrypted was not decrypted")

    // The content
    static let statusNotSuccess = Self(text: "the issuer did not answer with success")
    static func status(_ status: SAMLStatus) -> Self {
        Self(text: "the provider answered \(status.rawValue)", status: status)
    }
    static let wrongIssuer = Self(text: "the issuer is not the configured one")
    static let wrongDestination = Self(text: "the response is meant for another destination")
    static let wrongRequest = Self(text: "the response answers another request")
    static let missingSubject = Self(text: "the message does not name one subject")
    static let missingConfirmation = Self(text: "the assertion has no complete bearer confirmation")
    static let wrongRecipient = Self(text: "the assertion is meant for another recipient")
    static let missingAudience = Self(text: "the assertion is restricted to no audience")
    static let wrongAudience = Self(text: "the assertion is meant for another audience")
    static let unknownCondition = Self(text: "the assertion has a condition that is not understood")
    static let unreadableTime = Self(text: "a time in the assertion cannot be read")
    static let notYetValid = Self(text: "the assertion is not valid yet")
    static let expired = Self(text: "the assertion, or the sign-in it tells of, is over")
    static let missingSignIn = Self(text: "the assertion tells of no sign-in")
    static let missingStatement = Self(text: "the assertion has not exactly one statement of decisions")

    // The configuration
    static let missingMetadata = Self(text: "no issuer metadata is configured", trouble: .misconfigured)
    static let metadataNotXML = Self(
        text: "the issuer metadata is not XML in UTF-8 without a document type", trouble: .misconfigured,
        isGarbage: true)
    static let metadataWithoutEntity = Self(
        text: "the issuer metadata is not an EntityDescriptor with an entityID", trouble: .misconfigured)
    static let metadataWithoutIdentityProvider = Self(
        text: "the issuer metadata describes no identity provider of SAML 2.0", trouble: .misconfigured)
    static let metadataWithoutCertificate = Self(
        text: "the issuer metadata has no X.509 certificate with an RSA key of 2048 bits or more for signatures",
        trouble: .misconfigured)
    static let unusablePrivateKey = Self(
        text: "the private key is not an unencrypted RSA key of 2048 bits or more in PEM", trouble: .misconfigured)
    static let metadataExpired = Self(text: "the provider's metadata is over (validUntil)", trouble: .misconfigured)
    static let metadataUnsigned = Self(
        text: "the provider's metadata is not signed as a whole", trouble: .misconfigured)
    static let metadataWithoutSignIn = Self(
        text: "the provider's metadata has no sign-in address for redirects or forms", trouble: .misconfigured)
    static let metadataSigner = Self(
        text: "the certificate that metadata are signed with holds no RSA key of 2048 bits or more",
        trouble: .misconfigured)
    static func metadataStatus(_ status: Int) -> Self { self.answered("the address of the metadata", status) }
    static func metadataExchange(_ error: HTTPClientError) -> Self {
        self.unanswered("the address of the metadata", error)
    }

    // Logouts
    static let notLogout = Self(text: "the document is no LogoutRequest of SAML 2.0")
    static func logoutExchange(_ error: HTTPClientError) -> Self { self.unanswered("the logout address", error) }
    static func logoutStatus(_ status: Int) -> Self { self.answered("the logout address", status) }
    static let notDeflated = Self(text: "the message is not Base64 of DEFLATE, or too large")
    static let querySignature = Self(
        text: "the address is not signed by the provider with RSA and SHA-256, SHA-384 or SHA-512",
        mayBeOfOtherKeys: true)

    private static func answered(_ place: String, _ status: Int) -> Self {
        Self(
            text: "\(place) answered \(status)",
            trouble: status == 429 || status >= 500 ? .unreachable : .misconfigured)
    }

    private static func unanswered(_ place: String, _ error: HTTPClientError) -> Self {
        Self(text: "\(place): \(error.withRemedy)", trouble: error.trouble, isGarbage: error.isGarbage)
    }

    package var providerError: ProviderError { ProviderError(detail: "Platform SSO: \(self)") }
}

extension AssertionFault: CustomStringConvertible {
    package var description: String {
        self.code.map { "\(self.text): \(LassoLibrary.sentence(for: $0)) (\($0))" } ?? self.text
    }
}
