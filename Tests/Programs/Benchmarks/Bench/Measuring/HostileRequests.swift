import FoundationEssentials
import HTTPClient
import RealPrograms

/// One request of each kind, as large and as awkward as the server takes it.
struct HostileRequests: Sendable {
    struct Named: Sendable {
        let name: String
        let request: HTTPClient.Request
        /// What a signature covers besides the method; `nil` for a call that is not signed.
        var signedURI: String?

        /// The request for the `number`th time: signed anew, and from another network, so that no limit ends it early.
        func turn(_ number: Int, _ server: BenchServer) -> HTTPClient.Request {
            var request = self.request
            request.headers["X-Forwarded-For"] = "10.\(number >> 8 & 255).\(number & 255).1"
            if let uri = self.signedURI {
                request.headers["Authorization"] = server.authorization(
                    request.method.rawValue, uri, nonce: "\(UUID())")
            }
            return request
        }
    }

    let server: BenchServer
    let issuer: Issuer

    var all: [Named] {
        get throws { self.json + self.forms + self.credentials + self.descriptions + self.documents + self.assertions }
    }

    private static let form = "application/x-www-form-urlencoded"

    private func signed(_ name: String, _ path: String, body: String, headers: [String: String] = [:]) -> Named {
        var named = self.post(name, path, body: body, headers: headers)
        named.signedURI = withoutQuery(path)
        return named
    }

    private func post(
        _ name: String, _ path: String, body: String, type: String = HostileRequests.form,
        headers: [String: String] = [:]
    ) -> Named {
        var request = HTTPClient.Request(.post, self.server.url + path)
        request.headers["Content-Type"] = type
        for (name, value) in headers { request.headers[name] = value }
        request.body = Array(body.utf8)
        return Named(name: name, request: request)
    }

    // MARK: Bodies anybody may send

    private var json: [Named] {
        let register = "/o/client/register"
        let type = "application/json"
        let members = (0..<60).map { "\"\($0)\":\"\(String(repeating: "\\u00e9", count: 40))\"" }.joined(separator: ",")
        let lists = (0..<60).map { "\"\($0)\":[\(String(repeating: "{},", count: 80))1]" }.joined(separator: ",")
        return [
            self.post("JSON, escapes", register, body: "{\(members)}", type: type),
            self.post("JSON, lists", register, body: "{\(lists)}", type: type),
            self.post(
                "JSON, depth", register, body: "{\"a\":\(String(repeating: "[", count: 16_300))", type: type),
            self.post(
                "JSON, many members", register,
                body: "{\((0..<1500).map { "\"\($0)\":[]" }.joined(separator: ","))}", type: type),
            self.post(
                "JSON, a statement", register,
                body: "{\"software_statement\":\"\(Self.token("RS256", signature: 342))\"}", type: type),
        ]
    }

    private var forms: [Named] {
        let pairs = (0..<250).map { "%61\($0)=\(String(repeating: "%C3%A9", count: 40))" }.joined(separator: "&")
        let page = (0..<250).map { "%61\($0)=\(String(repeating: "%C3%A9", count: 9))" }.joined(separator: "&")
        let many = (0..<8000).map { "a\($0)" }.joined(separator: "&")
        let value = String(repeating: "%C3%A9", count: 10_800)
        let list = String(repeating: "%2C%20a", count: 9200)
        return [
            self.signed("form, pairs", self.server.creationPath, body: pairs),
            self.signed("form, too many pairs", self.server.creationPath, body: many),
            self.signed("form, one value", self.server.creationPath, body: "deviceId=\(value)"),
            self.signed(
                "form, resources", "/api/v1/preauthorize",
                body: "requestor=\(BenchServer.requestor)&deviceId=a&resource=\(list)"),
            self.post("page form, pairs", "/activate", body: page),
            self.post("page form, one value", "/activate", body: "code=\(value.prefix(16_000))"),
            self.post("page form, authenticate", "/api/v1/authenticate", body: page),
        ]
    }

    // MARK: Credentials

    private var credentials: [Named] {
        let path = "/api/v1/checkauthn?deviceId=a&requestor=\(BenchServer.requestor)"
        func poll(_ name: String, _ authorization: String, signedURI: String? = nil) -> Named {
            var request = HTTPClient.Request(.get, self.server.url + path)
            request.headers["Authorization"] = authorization
            return Named(name: name, request: request, signedURI: signedURI)
        }
        let long = "https://" + String(repeating: "a/", count: 7900)
        return [
            poll("signed header, a long address", "", signedURI: long),
            poll("signed header, commas", "GET " + String(repeating: "a=b, ", count: 3200) + "signature=x"),
            poll("bearer token", "Bearer \(Self.token("ES256", signature: 86))"),
        ]
    }

    /// A token of 16 KiB that is well-formed up to its signature.
    private static func token(_ algorithm: String, signature: Int) -> String {
        let header = Self.base64URL("{\"alg\":\"\(algorithm)\"}")
        let claims = Self.base64URL(
            "{\"sub\":\"a\",\"iss\":\"b\",\"iat\":1,\"nbf\":1,\"exp\":9000000000,\"id\":\"i\",\"scopes\":\""
                + String(repeating: "a ", count: 5700) + "\"}")
        return "\(header).\(claims).\(String(repeating: "A", count: signature))"
    }

    private static func base64URL(_ text: String) -> String {
        Data(text.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing(
            "=", with: "")
    }

    // MARK: Descriptions of devices

    private var descriptions: [Named] {
        let members = (0..<1200).map { "\"\($0)\":\($0)" }.joined(separator: ",")
        let texts = (0..<150).map { "\"\($0)\":\"\(String(repeating: "\\u00e9", count: 12))\"" }.joined(separator: ",")
        let values = [
            ("members", "{\(members)}"), ("texts", "{\(texts)}"),
            ("depth", "{\"a\":\(String(repeating: "[", count: 12_000))"),
            ("objects", "{\"a\":\(String(repeating: "{\"a\":", count: 2300))1\(String(repeating: "}", count: 2300))}"),
            ("lists", "{\"a\":[\(String(repeating: "[],", count: 3900))1]}"),
        ]
        return values.map { name, json in
            self.signed(
                "device information, \(name)", self.server.creationPath, body: "deviceId=hostile",
                headers: ["X-Device-Info": Data(json.utf8).base64EncodedString()])
        }
    }

    // MARK: XML

    private var documents: [Named] {
        let texts = [
            ("elements", "<authenticationToken>" + String(repeating: "<a/>", count: 16_000) + "</authenticationToken>"),
            (
                "entities",
                "<authenticationToken>" + String(repeating: "&amp;", count: 13_000) + "</authenticationToken>"
            ),
            ("attributes", "<a" + (0..<5000).map { " a\($0)=\"\"" }.joined() + "/>"),
            ("depth", String(repeating: "<a>", count: 21_000)),
            (
                "a signature",
                "<signatureInfo>" + String(repeating: "A", count: 344) + "</signatureInfo><authToken>"
                    + String(repeating: "<a>b</a>", count: 8000) + "</authToken>"
            ),
        ]
        return texts.map { name, text in
            self.signed(
                "token document, \(name)", "/adobe-services/usermetadata",
                body: "requestor_id=\(BenchServer.requestor)&device_id=a&authentication_token="
                    + String(HTMLForm.urlEncoded(text).prefix(130_000)))
        } + [self.resource]
    }

    private var resource: Named {
        let text =
            "<rss version=\"2.0\"><channel><title>a</title>" + String(repeating: "<item/>", count: 1150)
            + "</channel></rss>"
        return self.signed(
            "resource in MRSS", "/api/v1/authorize",
            body: "requestor=\(BenchServer.requestor)&deviceId=a&resource=\(HTMLForm.urlEncoded(text))")
    }

    private var assertions: [Named] {
        let kinds = [
            ("elements", Self.response(String(repeating: "<a:AttributeValue/>", count: 5000), isSigned: false)),
            (
                "text",
                Self.response(
                    "<a:AttributeValue>\(String(repeating: "&#233;", count: 15_800))</a:AttributeValue>",
                    isSigned: false)
            ),
            (
                "signed elements",
                Self.response(
                    String(
                        repeating: "<a:AttributeValue>\(String(repeating: "a", count: 160))</a:AttributeValue>",
                        count: 470),
                    isSigned: true)
            ),
            (
                "signed text",
                Self.response(
                    "<a:AttributeValue>\(String(repeating: "a", count: 94_000))</a:AttributeValue>", isSigned: true)
            ),
            (
                "signed attributes",
                Self.response(
                    (0..<470).map { "<a:AttributeValue x=\"\($0)\" y=\"\(String(repeating: "a", count: 140))\"/>" }
                        .joined(),
                    isSigned: true)
            ),
        ]
        return kinds.map { name, xml in
            self.signed(
                "SAML response, \(name)", "/api/v1/tokens/authn",
                body:
                    "requestor=\(BenchServer.requestor)&deviceId=a&mvpd=\(DemoFolder.provider)&deviceType=iOS&SAMLResponse="
                    + Data(xml.utf8).base64EncodedString())
        }
    }

    private static func response(_ values: String, isSigned: Bool) -> String {
        let xml = "http://www.w3.org/2001/10/xml-exc-c14n#"
        let signature = """
            <Signature xmlns="http://www.w3.org/2000/09/xmldsig#"><SignedInfo><CanonicalizationMethod Algorithm="\(xml)"/>\
            <SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"/><Reference URI="#_a">\
            <Transforms><Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"/>\
            <Transform Algorithm="\(xml)"/></Transforms>\
            <DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/>\
            <DigestValue>\(String(repeating: "A", count: 43))=</DigestValue></Reference></SignedInfo>\
            <SignatureValue>\(String(repeating: "A", count: 342))==</SignatureValue></Signature>
            """
        return """
            <p:Response xmlns:p="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:a="urn:oasis:names:tc:SAML:2.0:assertion" \
            ID="_r" Version="2.0" IssueInstant="2026-01-01T00:00:00Z"><p:Status>\
            <p:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></p:Status>\
            <a:Assertion ID="_a" Version="2.0" IssueInstant="2026-01-01T00:00:00Z"><a:Issuer>\(Issuer.name)</a:Issuer>\
            \(isSigned ? signature : "")<a:Subject><a:NameID>a</a:NameID></a:Subject><a:AttributeStatement>\
            <a:Attribute Name="zip">\(values)</a:Attribute></a:AttributeStatement></a:Assertion></p:Response>
            """
    }
}
