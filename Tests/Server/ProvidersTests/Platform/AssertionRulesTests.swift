import Clientless
import Entitlement
import TestSupport
import Testing

@testable import Providers

/// The rules alone, for what no identity provider of ours would write.
@Suite("A verified assertion")
struct AssertionRulesTests {
    static let rules = AssertionRules(
        issuer: "https://idp.example/", audience: "https://sp.example/", recipient: "https://sp.example/acs",
        now: Timestamp(seconds: 1_767_225_600))

    static let confirmation = """
        <SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><SubjectConfirmationData \
        Recipient="https://sp.example/acs" NotOnOrAfter="2026-01-01T00:05:00Z"/></SubjectConfirmation>
        """
    static let restriction = "<AudienceRestriction><Audience>https://sp.example/</Audience></AudienceRestriction>"
    static let signIn = "<AuthnStatement AuthnInstant=\"2026-01-01T00:00:00Z\" SessionIndex=\"one\"/>"
    static let assertion = """
        <Assertion xmlns="urn:oasis:names:tc:SAML:2.0:assertion" Version="2.0" ID="_1"><Issuer> https://idp.example/
        </Issuer><Subject><NameID>viewer</NameID>\(confirmation)</Subject><Conditions>\(restriction)</Conditions>\
        \(signIn)</Assertion>
        """

    private func read(_ text: String) throws -> XMLElement {
        let text = try SAMLText(Array(text.utf8), maximumSize: 1024 * 1024)
        return try XMLDocumentHandle.parse(text).root(comments: .refused)
    }

    /// Why the assertion is refused with `old` replaced by `new`; none when it is taken.
    private func fault(_ old: String, _ new: String) throws -> AssertionFault? {
        let altered = Self.assertion.replacing(old, with: new)
        #expect(altered != Self.assertion)
        let element = try self.read(altered)
        return thrown { () throws(AssertionFault) in try Self.rules.facts(of: element) }
    }

    @Test func `is taken with just what the profile demands`() throws {
        let facts = try Self.rules.facts(of: try self.read(Self.assertion))
        #expect(
            facts
                == AssertionFacts(
                    id: "_1", name: SAMLViewerName("viewer"), sessionIndex: "one", sessionEnd: nil,
                    acceptableUntil: Self.rules.now + .seconds(420), attributes: []))
    }

    @Test func `must have all of it, once and readable`() throws {
        let long = String(repeating: "v", count: 1025)
        let cases: [(String, String, AssertionFault)] = [
            (" Version=\"2.0\"", "", .missingID), (" ID=\"_1\"", " ID=\"\"", .missingID),
            (" ID=\"_1\"", " ID=\"\(long)\"", .missingID),
            ("<Issuer>", "<Issuer>https://idp.example/</Issuer><Issuer>", .wrongIssuer),
            (" https://idp.example/", " https://IDP.example/", .wrongIssuer),
            ("<NameID>viewer</NameID>", "<NameID>a</NameID><NameID>b</NameID>", .missingSubject),
            ("<NameID>viewer</NameID>", "<NameID>a<b/></NameID>", .missingSubject),
            ("<NameID>viewer</NameID>", "<NameID> </NameID>", .missingSubject),
            ("<NameID>viewer</NameID>", "<NameID>\(long)</NameID>", .missingSubject),
            ("<NameID>viewer</NameID>", "<EncryptedID/>", .missingSubject),
            (Self.confirmation, "", .missingConfirmation),
            ("cm:bearer", "cm:sender-vouches", .missingConfirmation),
            (" NotOnOrAfter=\"2026-01-01T00:05:00Z\"", "", .missingConfirmation),
            (" Recipient=\"https://sp.example/acs\"", "", .wrongRecipient),
            ("sp.example/acs\" Not", "sp.example/acs/\" Not", .wrongRecipient),
            (Self.restriction, "", .missingAudience),
            ("<Conditions>\(Self.restriction)</Conditions>", "", .missingAudience),
            ("https://sp.example/</Audience>", "https://sp.example</Audience>", .wrongAudience),
            (Self.restriction, Self.restriction + "<AudienceRestriction/>", .wrongAudience),
            (Self.restriction, Self.restriction + "<Condition/>", .unknownCondition),
            (Self.restriction, Self.restriction + "<OneTimeUse xmlns=\"urn:other\"/>", .unknownCondition),
            (Self.signIn, "", .missingSignIn),
        ]
        for (old, new, fault) in cases {
            #expect(try self.fault(old, new) == fault, "\(new.prefix(80))")
        }
    }

    @Test func `may have more than one confirmation and audience, and conditions that hold anyway`() throws {
        let late = Self.confirmation.replacing("00:05:00", with: "00:01:00")
        let other = Self.confirmation.replacing("sp.example", with: "other.example")
        let over = Self.confirmation.replacing("2026-", with: "2025-")
        for added in [late, other, over] {
            #expect(try self.fault(Self.confirmation, added + Self.confirmation) == nil)
            #expect(try self.fault(Self.confirmation, Self.confirmation + added) == nil)
        }
        #expect(try self.fault(Self.confirmation, other + over) == .wrongRecipient)
        #expect(try self.fault("<Audience>", "<Audience>https://other.example/</Audience><Audience>") == nil)
        #expect(try self.fault(Self.restriction, Self.restriction + "<OneTimeUse/><ProxyRestriction/>") == nil)
    }

    @Test("gives times in one form only")
    func times() throws {
        let cases: [(String, AssertionFault?)] = [
            ("2026-01-01T00:00:00.5Z", nil), ("2026-01-01T01:00:00+01:00", nil),
            ("2026-01-01T00:00:00", .unreadableTime), ("2026/01/01T00:00:00Z", .unreadableTime),
            ("2026-01-01 00:00:00 Z", .unreadableTime), ("1767225600000", .unreadableTime),
            ("2026-02-30T00:00:00Z", .unreadableTime), ("", .unreadableTime),
            ("2026-01-01T02:00:00+01:00", .notYetValid), ("9999-12-31T23:59:59Z", .notYetValid),
        ]
        for (text, fault) in cases {
            #expect(try self.fault("<Conditions>", "<Conditions NotBefore=\"\(text)\">") == fault, "\(text)")
        }
    }

    @Test func `has attributes of which only known ones within bounds are kept`() throws {
        let value = { (text: String) in "<AttributeValue>\(text)</AttributeValue>" }
        let attribute = { (name: String, values: String) in "<Attribute Name=\"\(name)\">\(values)</Attribute>" }
        let statement =
            attribute("ZIP", value("1")) + attribute("urn:a:zip", value("2") + value("<b/>"))
            + attribute("householdID", value(String(repeating: "h", count: 1025)))
            + attribute("channelID", String(repeating: value("c"), count: 512)) + attribute("channelID", value("d"))
            + attribute("is_hoh", value("perhaps")) + attribute("tokenSource", value("Apple"))
            + attribute("/", value("x")) + "<Attribute>\(value("y"))</Attribute>" + attribute("language", "")
        let text = Self.assertion.replacing(
            "</Assertion>", with: "<AttributeStatement>\(statement)</AttributeStatement></Assertion>")
        let facts = try Self.rules.facts(of: try self.read(text))
        #expect(
            AssertionAttributes.metadata(from: facts.attributes) == [
                "zip": .list(["1", "2"]), "channelID": .list([String](repeating: "c", count: 512)),
                "is_hoh": .text("perhaps"),
            ])
    }
}
