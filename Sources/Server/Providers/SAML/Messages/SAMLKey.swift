package import Cryptography

/// A key of this server, with which it signs and for which providers encrypt. Its signatures are RSA with SHA-256 over a
/// whole message (SAML 2.0 Core 5), or over a query (Bindings 3.4.4.1).
package struct SAMLKey: Sendable {
    static let method = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"
    private static let digest = "http://www.w3.org/2001/04/xmlenc#sha256"
    private static let canonicalForm = "http://www.w3.org/2001/10/xml-exc-c14n#"
    private static let enveloped = "http://www.w3.org/2000/09/xmldsig#enveloped-signature"

    let key: RSAPrivateKey
    let pem: Secret
    /// In Base64.
    let certificate: String

    /// - Parameter pem: an unencrypted RSA key.
    /// - Throws: `unusablePrivateKey`.
    package init(pem: Secret, name: String) throws(AssertionFault) {
        do throws(CryptographyError) {
            self.key = try RSAPrivateKey(pem: pem)
            self.pem = try self.key.pem()
            self.certificate = Base64.encode(try SelfSignedCertificate(of: self.key, name: name).der)
        } catch {
            throw .unusablePrivateKey
        }
    }

    /// The message with a signature directly inside, at the place that its schema gives it.
    /// - Parameter place: how many children stand before the signature; behind the issuer, in messages.
    /// - Throws: `libraryFailed`.
    func signed(_ message: CanonicalElement, at place: Int = 1) throws(AssertionFault) -> CanonicalElement {
        func algorithm(_ name: String, _ value: String) -> CanonicalElement {
            CanonicalElement(.ds, name, ["Algorithm": value])
        }
        let digest = Base64.encode(Digest.sha256(message.written.utf8))
        let reference = CanonicalElement(
            .ds, "Reference", ["URI": "#\(message.attributes["ID"] ?? "")"],
            [
                CanonicalElement(
                    .ds, "Transforms",
                    [algorithm("Transform", Self.enveloped), algorithm("Transform", Self.canonicalForm)]),
                algorithm("DigestMethod", Self.digest), CanonicalElement(.ds, "DigestValue", text: digest),
            ])
        let information = CanonicalElement(
            .ds, "SignedInfo",
            [
                algorithm("CanonicalizationMethod", Self.canonicalForm),
                algorithm("SignatureMethod", Self.method), reference,
            ])
        let value = Base64.encode(try self.signature(for: information.written))
        let keyInformation = CanonicalElement(
            .ds, "KeyInfo",
            [CanonicalElement(.ds, "X509Data", [CanonicalElement(.ds, "X509Certificate", text: self.certificate)])])
        var signed = message
        signed.children.insert(
            CanonicalElement(
                .ds, "Signature",
                [information, CanonicalElement(.ds, "SignatureValue", text: value), keyInformation]),
            at: place)
        return signed
    }

    /// - Throws: `libraryFailed`.
    func signature(for text: String) throws(AssertionFault) -> [UInt8] {
        do throws(CryptographyError) {
            return try self.key.signature(for: Array(text.utf8))
        } catch {
            throw .libraryFailed(call: "EVP_DigestSign", code: Int32(truncatingIfNeeded: error.libraryCode))
        }
    }
}

extension CanonicalElement {
    init(_ namespace: Namespace, _ name: String, _ children: [CanonicalElement]) {
        self.init(namespace, name, [:], children)
    }
}
