package import Entitlement
package import OpenIDConnect

/// Why a SAML response, or the configuration to check it with, was not taken. For operators: it holds no word of the
/// response, and the device that sent it learns only that it was refused.
package enum AssertionFault: Error, Hashable, Sendable {
    /// Too many others wait for the same.
    case busy
    /// The subject of the search: the library, or a function in it.
    case libraryMissing(name: String)
    case libraryFailed(call: String, code: Int32)

    // The text
    case tooLarge
    case notXML
    case documentType
    case tooComplex
    /// Comments, processing instructions and the like.
    case foreignContent
    /// Responses have no use for it.
    case unknownElement

    // The shape
    case notResponse
    case assertionCount
    case missingID
    case repeatedID
    case misplacedSignature
    case signatureReference
    case signatureAlgorithm
    case externalReference

    // The proof
    case unsigned
    case assertionUnsigned
    case missingPrivateKey
    case unverified(code: Int32)
    case substituted
    /// The viewer's name was encrypted for another, or not at all.
    case undecipherable

    // The content
    case statusNotSuccess
    /// By its local code, the last part of a name of SAML.
    case status(SAMLStatus)
    case wrongIssuer
    case wrongDestination
    case wrongRequest
    case missingSubject
    case missingConfirmation
    case wrongRecipient
    case missingAudience
    case wrongAudience
    case unknownCondition
    case unreadableTime
    case notYetValid
    case expired
    case missingSignIn
    case missingStatement

    // The configuration
    case missingMetadata
    case metadataNotXML
    case metadataWithoutEntity
    case metadataWithoutIdentityProvider
    case metadataWithoutCertificate
    case unusablePrivateKey
    case metadataExpired
    case metadataUnsigned
    case metadataWithoutSignIn
    case metadataSigner
    /// The request for metadata was answered with this status.
    case metadataStatus(Int)
    /// The address of metadata gave no answer.
    case metadataExchange(ExchangeError)

    // Logouts
    case notLogout
    case logoutExchange(ExchangeError)
    case logoutStatus(Int)
    case notDeflated
    case querySignature

    /// The fault as the domain takes it.
    package var providerError: ProviderError { ProviderError(detail: "Platform SSO: \(self)") }
}

extension AssertionFault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .busy: "too many responses wait to be verified"
        case .libraryMissing(let name): "\(name) is missing; it comes with Debian's package liblasso3"
        case .libraryFailed(let call, let code): "\(call) failed: \(Self.explain(code))"
        case .tooLarge: "the document is too large, or too large for so many keys of its issuer"
        case .notXML: "the document is not XML in UTF-8"
        case .documentType: "the document declares a document type or entities"
        case .tooComplex: "the document has too many elements, or too deep ones"
        case .foreignContent: "the document holds comments or instructions"
        case .unknownElement: "the document holds an element that responses are not made of"
        case .notResponse: "the document is not a Response of SAML 2.0"
        case .assertionCount: "the response has not exactly one assertion, directly inside"
        case .missingID: "an element that may be signed has no ID"
        case .repeatedID: "two elements have the same ID"
        case .misplacedSignature: "a signature is elsewhere than directly inside the response or the assertion"
        case .signatureReference: "a signature covers something else than the element it is in"
        case .signatureAlgorithm: "a signature is made in a way that is not accepted here, such as with SHA-1"
        case .externalReference: "the response refers to something outside of itself"
        case .unsigned: "neither the response nor the assertion is signed"
        case .assertionUnsigned:
            "only the response is signed, and not the assertion in it; the setting signedResponseSuffices takes that"
        case .missingPrivateKey: "the assertion, or a name, is encrypted, and no private key is configured"
        case .unverified(let code): "the response was not verified: \(Self.explain(code))"
        case .substituted: "the assertion is not the one that was verified"
        case .undecipherable: "what is encrypted was not decrypted"
        case .statusNotSuccess: "the issuer did not answer with success"
        case .status(let status): "the provider answered \(status.rawValue)"
        case .wrongIssuer: "the issuer is not the configured one"
        case .wrongDestination: "the response is meant for another destination"
        case .wrongRequest: "the response answers another request"
        case .missingSubject: "the message does not name one subject"
        case .missingConfirmation: "the assertion has no complete bearer confirmation"
        case .wrongRecipient: "the assertion is meant for another recipient"
        case .missingAudience: "the assertion is restricted to no audience"
        case .wrongAudience: "the assertion is meant for another audience"
        case .unknownCondition: "the assertion has a condition that is not understood"
        case .unreadableTime: "a time in the assertion cannot be read"
        case .notYetValid: "the assertion is not valid yet"
        case .expired: "the assertion, or the sign-in it tells of, is over"
        case .missingSignIn: "the assertion tells of no sign-in"
        case .missingStatement: "the assertion has not exactly one statement of decisions"
        case .missingMetadata: "no issuer metadata is configured"
        case .metadataNotXML: "the issuer metadata is not XML in UTF-8 without a document type"
        case .metadataWithoutEntity: "the issuer metadata is not an EntityDescriptor with an entityID"
        case .metadataWithoutIdentityProvider: "the issuer metadata describes no identity provider of SAML 2.0"
        case .metadataWithoutCertificate:
            "the issuer metadata has no X.509 certificate with an RSA key of 2048 bits or more for signatures"
        case .metadataExpired: "the provider's metadata is over (validUntil)"
        case .metadataUnsigned: "the provider's metadata is not signed as a whole"
        case .metadataWithoutSignIn: "the provider's metadata has no sign-in address for redirects or forms"
        case .metadataSigner: "the certificate that metadata are signed with holds no RSA key of 2048 bits or more"
        case .metadataStatus(let status): "the address of the metadata answered \(status)"
        case .metadataExchange(let error): "the address of the metadata: \(error.withRemedy)"
        case .notLogout: "the document is no LogoutRequest of SAML 2.0"
        case .logoutExchange(let error): "the logout address: \(error.withRemedy)"
        case .logoutStatus(let status): "the logout address answered \(status)"
        case .notDeflated: "the message is not Base64 of DEFLATE, or too large"
        case .querySignature: "the address is not signed by the provider with RSA and SHA-256, SHA-384 or SHA-512"
        case .unusablePrivateKey: "the private key is not an unencrypted RSA key of 2048 bits or more in PEM"
        }
    }

    private static func explain(_ code: Int32) -> String { "\(LassoLibrary.sentence(for: code)) (\(code))" }
}
