import Clientless
import Cryptography
import Entitlement

/// The SAML metadata of an issuer, as far as it must be looked at here; the library reads the rest (SAML 2.0 Metadata).
struct IssuerMetadata {
    let entityID: String
    let text: String
    /// The number of its keys, each of which the library tries.
    let keyCount: Int

    /// - Throws: `metadataNotXML`, `metadataWithoutEntity`, `metadataWithoutIdentityProvider`,
    ///   `metadataWithoutCertificate`; `libraryMissing`, `libraryFailed`.
    init(_ text: String) throws(AssertionFault) {
        let root = try Self.read(Array(text.utf8)).root
        guard root.has(.metadataElement("EntityDescriptor")), let entityID = root[attribute: "entityID"],
            !entityID.isEmpty
        else { throw .metadataWithoutEntity }
        let providers = Self.roles(of: root)
        guard !providers.isEmpty else { throw .metadataWithoutIdentityProvider }
        self.keyCount = providers.reduce(0) { $0 + Self.signingKeys(of: $1).count }
        guard self.keyCount > 0 else { throw .metadataWithoutCertificate }
        self.entityID = entityID
        self.text = text
    }

    /// - Throws: `metadataNotXML`; `libraryMissing`, `libraryFailed`.
    static func read(_ bytes: [UInt8]) throws(AssertionFault) -> (text: SAMLText, root: XMLElement) {
        do throws(AssertionFault) {
            let text = try SAMLText(bytes, maximumSize: SAMLText.maximumMetadataSize)
            return (text, try XMLDocumentHandle.parse(text).root(comments: .skipped))
        } catch {
            // Only a fault of the library's set-up is the operator's.
            throw error.trouble == .misconfigured ? error : .metadataNotXML
        }
    }

    /// Metadata of nothing but an issuer and its keys. The numbers of a key stand for its certificate: the library copies what
    /// it has of a key for each signature, and copying a certificate takes longer than the signature.
    /// - Throws: `libraryFailed`.
    init(entityID: String, keys: [RSAPublicKey]) throws(AssertionFault) {
        var descriptors = ""
        for key in keys {
            let numbers: (modulus: [UInt8], exponent: [UInt8])
            do throws(CryptographyError) {
                numbers = try key.numbers()
            } catch {
                throw .libraryFailed(call: "EVP_PKEY_get_bn_param", code: Int32(truncatingIfNeeded: error.libraryCode))
            }
            descriptors += """
                <KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:KeyValue>\
                <ds:RSAKeyValue><ds:Modulus>\(Base64.encode(numbers.modulus))</ds:Modulus>\
                <ds:Exponent>\(Base64.encode(numbers.exponent))</ds:Exponent></ds:RSAKeyValue></ds:KeyValue>\
                </ds:KeyInfo></KeyDescriptor>
                """
        }
        self.entityID = entityID
        self.keyCount = keys.count
        self.text = """
            <EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="\(XMLText.escaped(entityID))">\
            <IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">\
            \(descriptors)</IDPSSODescriptor></EntityDescriptor>
            """
    }

    /// The descriptors of an entity as an identity provider of SAML 2.0.
    static func roles(of entity: XMLElement) -> [XMLElement] {
        entity.children(.metadataElement("IDPSSODescriptor")).filter {
            $0[attribute: "protocolSupportEnumeration"]?.split(separator: " ")
                .contains("urn:oasis:names:tc:SAML:2.0:protocol") == true
        }
    }

    /// The keys to verify with. The dates of their certificates do not matter: they only carry the keys, which the operator
    /// trusts.
    static func signingKeys(of provider: XMLElement) -> [RSAPublicKey] {
        let descriptors = provider.children(.metadataElement("KeyDescriptor"))
            .filter { $0[attribute: "use"] ?? "signing" == "signing" }
        var found: [RSAPublicKey] = []
        for descriptor in descriptors {
            descriptor.visit { element in
                guard element.has(.signatureElement("X509Certificate")) else { return }
                let text = element.text.filter { !$0.isWhitespace }
                if let key = Self.key(certificate: text) { found.append(key) }
            }
        }
        return found
    }

    /// The key of a certificate in Base64; `nil` if it is no certificate of an RSA key of 2048 bits or more.
    static func key(certificate text: String) -> RSAPublicKey? {
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        var lines = ["-----BEGIN CERTIFICATE-----"]
        var rest = text[...]
        while !rest.isEmpty {
            lines.append(String(rest.prefix(64)))
            rest = rest.dropFirst(64)
        }
        lines.append("-----END CERTIFICATE-----\n")
        return try? RSAPublicKey(pem: lines.joined(separator: "\n"))
    }
}
