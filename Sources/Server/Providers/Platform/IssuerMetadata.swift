import Cryptography

/// The SAML metadata of an issuer, as far as it must be looked at here; the library reads the rest (SAML 2.0 Metadata).
struct IssuerMetadata {
    let entityID: String
    let text: String

    /// - Throws: `metadataNotXML`, `metadataWithoutEntity`, `metadataWithoutIdentityProvider`,
    ///   `metadataWithoutCertificate`; `libraryMissing`, `libraryFailed`.
    init(_ text: String) throws(AssertionFault) {
        let root = try Self.read(text)
        guard root.has(.metadataElement("EntityDescriptor")), let entityID = root[attribute: "entityID"],
            !entityID.isEmpty
        else { throw .metadataWithoutEntity }
        let providers = root.children(.metadataElement("IDPSSODescriptor")).filter {
            $0[attribute: "protocolSupportEnumeration"]?.split(separator: " ")
                .contains("urn:oasis:names:tc:SAML:2.0:protocol") == true
        }
        guard !providers.isEmpty else { throw .metadataWithoutIdentityProvider }
        guard providers.contains(where: Self.hasSigningKey) else { throw .metadataWithoutCertificate }
        self.entityID = entityID
        self.text = text
    }

    private static func read(_ text: String) throws(AssertionFault) -> XMLElement {
        do throws(AssertionFault) {
            let text = try SAMLText(Array(text.utf8), maximumSize: SAMLText.maximumMetadataSize)
            return try XMLDocumentHandle.parse(text).root(comments: .skipped)
        } catch {
            switch error {
            case .libraryMissing, .libraryFailed: throw error
            default: throw .metadataNotXML
            }
        }
    }

    /// Whether there is a certificate to verify with. Its dates do not matter: it only carries the key, which the
    /// operator trusts.
    private static func hasSigningKey(_ provider: XMLElement) -> Bool {
        let keys = provider.children(.metadataElement("KeyDescriptor"))
            .filter { $0[attribute: "use"] ?? "signing" == "signing" }
        var isUsable = false
        for key in keys {
            key.visit { element in
                guard element.has(.signatureElement("X509Certificate")) else { return }
                isUsable = isUsable || Self.isUsable(certificate: element.text)
            }
        }
        return isUsable
    }

    private static func isUsable(certificate: String) -> Bool {
        let text = certificate.filter { !$0.isWhitespace }
        var lines = ["-----BEGIN CERTIFICATE-----"]
        var rest = text[...]
        while !rest.isEmpty {
            lines.append(String(rest.prefix(64)))
            rest = rest.dropFirst(64)
        }
        lines.append("-----END CERTIFICATE-----\n")
        return (try? RSAPublicKey(pem: lines.joined(separator: "\n"))) != nil
    }
}
