package import Clientless
import Cryptography
package import OpenIDConnect

/// The metadata of a provider: where viewers sign in and out, and the keys of its signatures (SAML 2.0 Metadata).
package struct IdentityProviderMetadata: Sendable {
    /// The rules that metadata must meet, and the entity that counts.
    package struct Rules: Hashable, Sendable {
        /// The entity wanted; `nil` for metadata of one alone.
        package var entityID: String?
        /// The certificate in PEM with which the metadata are signed as a whole; `nil` when the way they came will do.
        package var signer: String?
        package var policy: EndpointAddress.Policy = .secure

        package init() {}
    }

    /// The most keys and addresses of one kind.
    private static let maximumCount = 16

    package let entityID: String
    /// In the provider's order, without those of bindings that are not spoken here.
    let signIn: [SAMLEndpoint]
    let logout: [SAMLEndpoint]
    let keys: [RSAPublicKey]
    let issuer: IssuerMetadata
    /// From here on the metadata do not count.
    package let validUntil: Timestamp?
    /// How long they may be kept before they are fetched again.
    package let life: Duration?

    func logout(by binding: SAMLBinding) -> SAMLEndpoint? { self.logout.first { $0.binding == binding } }

    package var signsViewersOut: Bool { !self.logout.isEmpty }
    package var bindings: [SAMLBinding] { self.signIn.map(\.binding) }

    package init(reading bytes: [UInt8], _ rules: Rules) throws(AssertionFault) {
        let (text, root) = try IssuerMetadata.read(bytes)
        if let signer = rules.signer { try Self.requireSignature(by: signer, of: root, text) }
        let path = try Self.entity(in: root, rules.entityID)
        guard let entity = path.last, let entityID = entity[attribute: "entityID"] else { throw .metadataWithoutEntity }
        guard let role = IssuerMetadata.roles(of: entity).first else { throw .metadataWithoutIdentityProvider }
        let keys = Array(IssuerMetadata.signingKeys(of: role).prefix(Self.maximumCount))
        guard !keys.isEmpty else { throw .metadataWithoutCertificate }
        func endpoints(_ name: String) -> [SAMLEndpoint] {
            role.children(.metadataElement(name)).prefix(Self.maximumCount)
                .compactMap { SAMLEndpoint($0, policy: rules.policy) }
        }
        self.signIn = endpoints("SingleSignOnService").filter { $0.binding != .soap }
        guard !self.signIn.isEmpty else { throw .metadataWithoutSignIn }
        self.logout = endpoints("SingleLogoutService")
        self.entityID = entityID
        self.keys = keys
        self.issuer = try IssuerMetadata(entityID: entityID, keys: keys)
        let places = path + [role]
        var ends: [Timestamp] = []
        for text in places.compactMap({ $0[attribute: "validUntil"] }) {
            guard let end = SAMLTime.read(text) else { throw .unreadableTime }
            ends.append(end)
        }
        self.validUntil = ends.min()
        self.life = places.compactMap { $0[attribute: "cacheDuration"].flatMap(SAMLTime.duration) }.min()
    }

    /// - Throws: `metadataExpired`.
    package func requireValidity(at now: Timestamp) throws(AssertionFault) {
        if let end = self.validUntil, now >= end { throw .metadataExpired }
    }

    /// The entity wanted, behind the lists that it is in.
    private static func entity(in root: XMLElement, _ entityID: String?) throws(AssertionFault) -> [XMLElement] {
        if root.has(.metadataElement("EntityDescriptor")) {
            guard let id = root[attribute: "entityID"], (1...1024).contains(id.utf8.count),
                entityID.map({ $0 == id }) ?? true
            else { throw .metadataWithoutEntity }
            return [root]
        }
        // Which one of many counts the operator has to say.
        guard root.has(.metadataElement("EntitiesDescriptor")), entityID != nil else { throw .metadataWithoutEntity }
        for child in root.children {
            guard child.has(.metadataElement("EntityDescriptor")) || child.has(.metadataElement("EntitiesDescriptor")),
                let path = try? self.entity(in: child, entityID)
            else { continue }
            return [root] + path
        }
        throw .metadataWithoutEntity
    }

    private static func requireSignature(
        by certificate: String, of root: XMLElement, _ text: SAMLText
    ) throws(AssertionFault) {
        try ResponseShape.requireOneMeaning(of: root)
        try ResponseShape.requireSignatures(in: [root], of: root)
        guard try SignatureRules(acceptsSHA1: false).isSigned(root) else { throw .metadataUnsigned }
        let signer = try TrustedIssuer(
            Self.signer(certificate), audience: "urn:latchkey", recipient: "https://localhost/", privateKeys: [])
        try signer.verify(document: text.text)
    }

    /// The signer of metadata, by the certificate that its operator gave to ours.
    /// - Throws: `metadataSigner`; `libraryFailed`.
    private static func signer(_ certificate: String) throws(AssertionFault) -> IssuerMetadata {
        let lines = certificate.split(separator: "\n").map { $0.filter { !$0.isWhitespace } }
        guard let start = lines.firstIndex(of: "-----BEGINCERTIFICATE-----"),
            let end = lines.firstIndex(of: "-----ENDCERTIFICATE-----"), start < end
        else { throw .metadataSigner }
        let body = lines[(start + 1)..<end].joined()
        guard let key = IssuerMetadata.key(certificate: body) else { throw .metadataSigner }
        return try IssuerMetadata(entityID: "urn:latchkey:metadata-signer", keys: [key])
    }

    /// Whether a certificate in PEM may stand in ``Rules/signer``.
    package static func isSigner(_ certificate: String) -> Bool { (try? self.signer(certificate)) != nil }
}

/// How messages travel (SAML 2.0 Bindings).
package enum SAMLBinding: String, Hashable, Sendable, CaseIterable {
    case redirect = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"
    case post = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"
    case soap = "urn:oasis:names:tc:SAML:2.0:bindings:SOAP"
}

struct SAMLEndpoint: Hashable, Sendable {
    let binding: SAMLBinding
    let address: EndpointAddress
    let answerAddress: EndpointAddress

    /// - Returns: `nil` for a binding that is not spoken here, and for an address that is none.
    init?(_ element: XMLElement, policy: EndpointAddress.Policy) {
        guard let binding = element[attribute: "Binding"].flatMap(SAMLBinding.init(rawValue:)),
            let address = element[attribute: "Location"].flatMap({ EndpointAddress($0, policy: policy) })
        else { return nil }
        self.binding = binding
        self.address = address
        let answer = element[attribute: "ResponseLocation"]
        guard let answerAddress = answer.map({ EndpointAddress($0, policy: policy) }) ?? address else { return nil }
        self.answerAddress = answerAddress
    }
}
