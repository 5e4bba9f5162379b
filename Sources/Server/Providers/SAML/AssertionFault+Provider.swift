import Entitlement
import OpenIDConnect

extension AssertionFault {
    /// The party that has to act, in a sign-in or a logout at a provider with SAML.
    var trouble: ProviderError.Kind {
        switch self {
        case .busy: .failed
        case .metadataExchange(let error), .logoutExchange(let error): error.trouble
        case .metadataStatus(let status), .logoutStatus(let status):
            status == 429 || status >= 500 ? .unreachable : .misconfigured
        case .libraryMissing, .libraryFailed, .missingPrivateKey, .missingMetadata, .metadataNotXML,
            .metadataWithoutEntity, .metadataWithoutIdentityProvider, .metadataWithoutCertificate, .unusablePrivateKey,
            .metadataExpired, .metadataUnsigned, .metadataWithoutSignIn, .metadataSigner:
            .misconfigured
        case .tooLarge, .notXML, .documentType, .tooComplex, .foreignContent, .unknownElement, .notResponse,
            .assertionCount, .missingID, .repeatedID, .misplacedSignature, .signatureReference, .signatureAlgorithm,
            .externalReference, .unsigned, .assertionUnsigned, .unverified, .substituted, .undecipherable,
            .statusNotSuccess, .status,
            .wrongIssuer,
            .wrongDestination, .wrongRequest, .missingSubject, .missingConfirmation, .wrongRecipient, .missingAudience,
            .wrongAudience, .unknownCondition, .unreadableTime, .notYetValid, .expired, .missingSignIn,
            .missingStatement,
            .notLogout, .notDeflated, .querySignature:
            .unproven
        }
    }
}

extension ProviderError {
    /// A fault of SAML, as the domain tells them apart.
    init(_ fault: AssertionFault) { self.init(fault.trouble, detail: "\(fault)") }
}

extension Entitlement.ProviderRefusal {
    /// The meaning of a provider's answer for the viewer; `nil` for one that is no refusal.
    init?(_ fault: AssertionFault) {
        guard case .status(let status) = fault else { return nil }
        switch status {
        case .noPassive: self.init(.needsViewer)
        case .authnFailed: self.init(.declined)
        case .requestDenied, .unknownPrincipal: self.init(.denied)
        case .other: return nil
        }
    }
}

extension AssertionFault {
    /// Whether there was no answer, or one that says to come back later.
    package var isUnreachable: Bool { self.trouble == .unreachable }

    /// Whether there was an answer, and it is nothing that a provider says.
    package var isGarbage: Bool {
        switch self {
        case .metadataNotXML: true
        case .metadataExchange(let error), .logoutExchange(let error): error.isGarbage
        default: false
        }
    }
}
