import Cryptography
import FoundationEssentials
import TestSupport
import TextCoding

/// A TV provider with SAML 2.0 in this process, which accepts every viewer at once, by a signed assertion.
package final class StubSAMLProvider: Sendable {
    private static let signed = "http://www.w3.org/2000/09/xmldsig#"
    private static let prefix = "urn:oasis:names:tc:SAML:2.0"

    private let server: ScriptedServer
    package let url: String

    package init() throws {
        let key = try RSAPrivateKey.generate()
        let certificate = Base64.encode(try SelfSignedCertificate(of: key, name: "Stub TV").der)
        self.server = try ScriptedServer { request in
            let url = "http://\(request.headers["host"] ?? "")"
            switch request.path {
            case "/metadata": return .response(200, body: Self.metadata(url, certificate))
            case "/sso":
                guard let page = try? Self.page(for: request.target, of: url, key) else { return .response(400) }
                return .response(200, headers: ["Content-Type": "text/html; charset=utf-8"], body: page)
            default: return .response(404)
            }
        }
        self.url = self.server.url
    }

    /// The provider in a configuration.
    /// - Parameter file: where the key that our server signs with is written.
    package func settings(_ id: String, key file: String) throws -> JSON {
        let pem = try RSAPrivateKey.generate().pem().withBytes { Data($0) }
        try pem.write(to: URL(filePath: file))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        return [
            "id": .text(id), "name": .text(id), "kind": "saml",
            "saml": ["metadataAddress": .text("\(self.url)/metadata"), "keys": [.text(file)], "lineUp": ["*"]],
        ]
    }

    private static func metadata(_ url: String, _ certificate: String) -> String {
        """
        <EntityDescriptor xmlns="\(self.prefix):metadata" entityID="\(url)/saml"><IDPSSODescriptor \
        protocolSupportEnumeration="\(self.prefix):protocol"><KeyDescriptor use="signing"><ds:KeyInfo \
        xmlns:ds="\(self.signed)"><ds:X509Data><ds:X509Certificate>\(certificate)</ds:X509Certificate></ds:X509Data>\
        </ds:KeyInfo></KeyDescriptor><SingleSignOnService Binding="\(self.prefix):bindings:HTTP-Redirect" \
        Location="\(url)/sso"/></IDPSSODescriptor></EntityDescriptor>
        """
    }

    /// The page whose form brings the answer to a request.
    private static func page(for target: String, of url: String, _ key: RSAPrivateKey) throws -> String {
        var values: [String: String] = [:]
        for pair in (target.split(separator: "?", maxSplits: 1).last ?? "").split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { continue }
            values[String(parts[0])] = PercentCoding.decodedForm(ArraySlice(parts[1].utf8))
        }
        // Our requests are in one block that is stored as it is, behind five bytes (RFC 1951 3.2.4).
        guard let bytes = values["SAMLRequest"].flatMap({ Base64.decode($0) }), let state = values["RelayState"]
        else { throw GaveUp(description: "no request") }
        let request = String(decoding: bytes.dropFirst(5), as: UTF8.self)
        let consumer = try self.piece("AssertionConsumerServiceURL=\"", "\"", of: request)
        let audience = try self.piece("<saml:Issuer xmlns:saml=\"\(self.prefix):assertion\">", "<", of: request)
        let text = try self.response(
            to: try self.piece(" ID=\"", "\"", of: request), from: "\(url)/saml", at: consumer, for: audience, key)
        return """
            <!DOCTYPE html><html><body><form method="post" action="\(consumer)">\
            <input type="hidden" name="SAMLResponse" value="\(Base64.encode(text.utf8))">\
            <input type="hidden" name="RelayState" value="\(state)"><button type="submit">Go on</button></form>\
            </body></html>
            """
    }

    private static func piece(_ start: String, _ end: String, of text: String) throws -> String {
        guard let first = text.firstRange(of: start)?.upperBound,
            let last = text[first...].firstRange(of: end)?.lowerBound
        else { throw GaveUp(description: "no \(start) in \(text)") }
        return String(text[first..<last])
    }

    /// Written in its exclusive canonical form, so that the signature needs no parser.
    private static func response(
        to request: String, from issuer: String, at consumer: String, for audience: String, _ key: RSAPrivateKey
    ) throws -> String {
        let now = Date()
        let (start, end) = (now.formatted(.iso8601), (now + 120).formatted(.iso8601))
        // What the request is called is new each time.
        let id = "_assertion\(request)"
        func assertion(_ signature: String) -> String {
            """
            <saml:Assertion xmlns:saml="\(self.prefix):assertion" ID="\(id)" IssueInstant="\(start)" Version="2.0">\
            <saml:Issuer>\(issuer)</saml:Issuer>\(signature)<saml:Subject>\
            <saml:NameID Format="\(self.prefix):nameid-format:persistent">viewer of \(request)</saml:NameID>\
            <saml:SubjectConfirmation Method="\(self.prefix):cm:bearer"><saml:SubjectConfirmationData \
            InResponseTo="\(request)" NotOnOrAfter="\(end)" Recipient="\(consumer)"></saml:SubjectConfirmationData>\
            </saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="\(start)" NotOnOrAfter="\(end)">\
            <saml:AudienceRestriction><saml:Audience>\(audience)</saml:Audience></saml:AudienceRestriction>\
            </saml:Conditions><saml:AuthnStatement AuthnInstant="\(start)"><saml:AuthnContext>\
            <saml:AuthnContextClassRef>\(self.prefix):ac:classes:Password</saml:AuthnContextClassRef>\
            </saml:AuthnContext></saml:AuthnStatement></saml:Assertion>
            """
        }
        let digest = Base64.encode(Digest.sha256(assertion("").utf8))
        func information(_ declaration: String) -> String {
            """
            <ds:SignedInfo\(declaration)><ds:CanonicalizationMethod \
            Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"></ds:CanonicalizationMethod><ds:SignatureMethod \
            Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"></ds:SignatureMethod><ds:Reference \
            URI="#\(id)"><ds:Transforms><ds:Transform Algorithm="\(self.signed)enveloped-signature"></ds:Transform>\
            <ds:Transform Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"></ds:Transform></ds:Transforms>\
            <ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"></ds:DigestMethod>\
            <ds:DigestValue>\(digest)</ds:DigestValue></ds:Reference></ds:SignedInfo>
            """
        }
        let declaration = " xmlns:ds=\"\(self.signed)\""
        let value = Base64.encode(try key.signature(for: Array(information(declaration).utf8)))
        let signature = """
            <ds:Signature\(declaration)>\(information(""))<ds:SignatureValue>\(value)</ds:SignatureValue></ds:Signature>
            """
        return """
            <samlp:Response xmlns:samlp="\(self.prefix):protocol" Destination="\(consumer)" ID="_response\(request)" \
            InResponseTo="\(request)" IssueInstant="\(start)" Version="2.0"><saml:Issuer \
            xmlns:saml="\(self.prefix):assertion">\(issuer)</saml:Issuer><samlp:Status><samlp:StatusCode \
            Value="\(self.prefix):status:Success"></samlp:StatusCode></samlp:Status>\(assertion(signature))\
            </samlp:Response>
            """
    }
}
