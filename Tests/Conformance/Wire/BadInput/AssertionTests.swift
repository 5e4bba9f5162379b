import Cryptography
import HTTPClient
import TestSupport
import Testing
import WireAnswers

extension BadInput {
    @Suite("Sign-ins of the operating system (21)")
    struct AssertionTests {
        private let box = Box(own.service)

        private func exchange(_ response: String, encoded isEncoded: Bool = true) async throws -> HTTPClient.Response {
            let path = "/api/v1/tokens/authn"
            let value = isEncoded ? Base64.encode(Array(response.utf8)) : response
            let form = query([
                "requestor": self.box.requestor, "deviceId": self.box.id, "mvpd": OwnService.otherMVPD,
                "deviceType": "tvOS", "SAMLResponse": value,
            ])
            return try await own.service.send(
                .post, path, headers: ["Authorization": own.service.signature("POST", path)], form: form)
        }

        /// An answer of the issuer, unsigned but for what `signature` holds.
        private func response(signature: String = "", in document: String = "", nameID: String = "viewer") -> String {
            """
            \(document)<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" \
            xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_a" Version="2.0" \
            IssueInstant="2026-01-01T00:00:00Z"><saml:Issuer>\(PlatformIssuer.entityID)</saml:Issuer><samlp:Status>\
            <samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status><saml:Assertion ID="_b" \
            Version="2.0" IssueInstant="2026-01-01T00:00:00Z"><saml:Issuer>\(PlatformIssuer.entityID)</saml:Issuer>\
            \(signature)<saml:Subject><saml:NameID>\(nameID)</saml:NameID><saml:SubjectConfirmation \
            Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData \
            NotOnOrAfter="2100-01-01T00:00:00Z" Recipient="\(own.service.url)/api/v1/tokens/authn"/>\
            </saml:SubjectConfirmation></saml:Subject><saml:Conditions NotOnOrAfter="2100-01-01T00:00:00Z">\
            <saml:AudienceRestriction><saml:Audience>\(own.service.url)</saml:Audience></saml:AudienceRestriction>\
            </saml:Conditions><saml:AuthnStatement AuthnInstant="2026-01-01T00:00:00Z"><saml:AuthnContext>\
            <saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:unspecified</saml:AuthnContextClassRef>\
            </saml:AuthnContext></saml:AuthnStatement></saml:Assertion></samlp:Response>
            """
        }

        /// A signature by nobody.
        private func signature(
            reference: String = "#_b", transform: String = "http://www.w3.org/2001/10/xml-exc-c14n#",
            inside: String = "",
            key: String = ""
        ) -> String {
            """
            <ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:SignedInfo><ds:CanonicalizationMethod \
            Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/><ds:SignatureMethod \
            Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"/><ds:Reference URI="\(reference)"><ds:Transforms>\
            <ds:Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"/><ds:Transform \
            Algorithm="\(transform)">\(inside)</ds:Transform></ds:Transforms><ds:DigestMethod \
            Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/><ds:DigestValue>AAAA</ds:DigestValue></ds:Reference>\
            </ds:SignedInfo><ds:SignatureValue>AAAA</ds:SignatureValue><ds:KeyInfo>\(key)</ds:KeyInfo></ds:Signature>
            """
        }

        @Test func `The request that the operator configured is handed out as it is`() async throws {
            let path = "/api/v1/\(self.box.requestor)/profile-requests/\(OwnService.otherMVPD)"
            try await own.service.send(
                .get, "\(path)?deviceType=tvOS",
                headers: ["Authorization": own.service.signature("GET", path), "Accept": "application/json"]
            ).expect(200, PlatformIssuer.profileRequest, headers: ["Content-Type": "application/octet-stream"])
        }

        @Test func `A SAML answer that is a bomb, or no answer at all, signs nobody in`() async throws {
            let wrapped = BombTests.xmlBombs.map { self.response(in: $0) }
            let entities =
                "<!ENTITY a \"\(BombTests.repeated("x", 1000))\"><!ENTITY b \"\(BombTests.repeated("&a;", 99))\">"
                + "<!ENTITY c \"\(BombTests.repeated("&b;", 99))\">"
            let entity = "<!DOCTYPE a [\(entities)]>"
            let deep = BombTests.repeated("<saml:X>", 8000) + BombTests.repeated("</saml:X>", 8000)
            for bomb in BombTests.xmlBombs + wrapped + [
                "", "no XML", "\u{0}", self.response(in: entity, nameID: "&c;"), self.response(nameID: deep),
                self.response(nameID: BombTests.repeated("x", 180_000)), "<!---->" + self.response(),
                self.response() + "x",
            ] {
                let answer = try await self.exchange(bomb)
                // What is too long for the route is not read at all.
                #expect([400, 413].contains(answer.status), "\(bomb.prefix(60)): \(answer.summary.prefix(300))")
                #expect(!answer.text.contains("root:"))
            }
            #expect(try await self.exchange(self.response(), encoded: false).status == 400)
            #expect(try await self.exchange("====", encoded: false).status == 400)
            #expect(try await self.box.call("checkauthn").status == 403)
            #expect(try await own.isReady())
        }

        @Test func `An answer nobody signed, or that says who may, signs nobody in`() async throws {
            let vector = try MediaTokenVector.load()
            let key = "<ds:KeyName>\(vector.requestor)</ds:KeyName>"
            for response in [
                self.response(), self.response(signature: self.signature()),
                self.response(signature: self.signature(key: key)),
                self.response(signature: self.signature(reference: "")),
                self.response(signature: self.signature(reference: "#_none")),
            ] {
                #expect(try await self.exchange(response).status == 400)
            }
            #expect(try await self.box.call("checkauthn").status == 403)
        }

        @Test func `Nothing an answer points to is fetched`() async throws {
            let listener = try ScriptedServer { _ in .response(200, body: "<x/>") }
            let file = "file:///etc/passwd"
            for url in [listener.url + "/x", file] {
                let stylesheet =
                    "<xsl:stylesheet xmlns:xsl=\"http://www.w3.org/1999/XSL/Transform\" version=\"1.0\"><xsl:import "
                    + "href=\"\(url)\"/><xsl:template match=\"/\"><xsl:copy-of select=\"document('\(url)')\"/>"
                    + "</xsl:template></xsl:stylesheet>"
                let retrieval =
                    "<ds:RetrievalMethod URI=\"\(url)\" Type=\"http://www.w3.org/2000/09/xmldsig#X509Data\"/>"
                for response in [
                    self.response(in: "<!DOCTYPE r SYSTEM \"\(url)\">"),
                    self.response(in: "<!DOCTYPE r [<!ENTITY e SYSTEM \"\(url)\">]>", nameID: "&e;"),
                    self.response(in: "<!DOCTYPE r [<!ENTITY % e SYSTEM \"\(url)\">%e;]>"),
                    self.response(in: "<?xml-stylesheet href=\"\(url)\" type=\"text/xsl\"?>"),
                    self.response(
                        nameID:
                            "<xi:include xmlns:xi=\"http://www.w3.org/2001/XInclude\" href=\"\(url)\" parse=\"text\"/>"),
                    self.response(signature: self.signature(reference: url)),
                    self.response(signature: self.signature(key: retrieval)),
                    self.response(
                        signature: self.signature(
                            transform: "http://www.w3.org/TR/1999/REC-xslt-19991116", inside: stylesheet)),
                    self.response(
                        signature: self.signature(
                            transform: "http://www.w3.org/TR/1999/REC-xpath-19991116",
                            inside: "<ds:XPath>document('\(url)')</ds:XPath>")),
                ] {
                    #expect(try await self.exchange(response).status == 400)
                }
            }
            #expect(listener.requests.isEmpty, "\(listener.requests.map(\.target))")
            #expect(try await own.isReady())
        }
    }
}
