import Clientless
import Entitlement
import TestSupport
import Testing

@testable import Providers

@Suite("A platform's SAML response", .timeLimit(.minutes(5)))
struct PlatformAssertionTests {
    let provider: IdentityProvider

    init() throws { self.provider = try IdentityProvider.shared.get() }

    @Test func `signs the viewer in, with what the provider says of them`() async throws {
        let response = try self.provider.response("good")
        let assertion = try await self.provider.verify(response)
        #expect(assertion.issuer == IdentityProvider.issuer)
        #expect(response.contains("<saml:Assertion Version=\"2.0\" ID=\"\(assertion.assertionID)\""))
        #expect(assertion.expires == IdentityProvider.start + .seconds(300 + 120))
        #expect(assertion.login.upstreamUserID == "viewer-17")
        #expect(assertion.login.session == ProviderSession(account: "viewer-17"))
        #expect(
            assertion.login.metadata == [
                "householdID": .text("H-3456"), "zip": .list(["12345", "67890"]),
                "channelID": .list(["north-1", "north-2"]), "hba_status": .text("true"), "onNet": .text("false"),
                "maxRating": .map([
                    NamedText("MPAA", "PG-13"), NamedText("VCHIP", "TV-14"),
                ]),
            ])
    }

    @Test(
        "counts when the assertion, the response or both are signed, and when the assertion is encrypted",
        arguments: ["plain", "whole", "both", "encrypted", "encryptedWhole", "encryptedName", "encryptedNameWhole"])
    func placesOfTheSignature(_ name: String) async throws {
        let assertion = try await self.provider.verify(try self.provider.response(name))
        #expect(assertion.login == ProviderLogin(upstreamUserID: "viewer-17", session: .init(account: "viewer-17")))
        #expect(assertion.expires == IdentityProvider.start + .seconds(300 + 120))
    }

    @Test(arguments: ["unsigned", "encryptedUnsigned", "encryptedNameUnsigned"])
    func `that nobody signed is refused, also when it is encrypted`(_ name: String) async throws {
        let refusal = try await self.provider.refusal(of: try self.provider.response(name))
        #expect(refusal == AssertionFault.unsigned.detail || refusal?.hasPrefix(Self.unverified) == true)
    }

    @Test("is refused when what is signed was altered", arguments: ["good", "whole", "both"])
    func altered(_ name: String) async throws {
        let response = try self.provider.response(name)
        let altered = response.replacing(">viewer-17<", with: ">viewer-18<")
        #expect(altered != response)
        #expect(try await self.provider.refusal(of: altered)?.hasPrefix(Self.unverified) == true)
        // Split by a comment the name reads differently to some, and is signed all the same.
        let split = response.replacing(">viewer-17<", with: ">viewer<!---->-17<")
        #expect(try await self.provider.refusal(of: split) == AssertionFault.foreignContent.detail)
    }

    @Test("is refused when the issuer's key did not sign it, though the certificate of another is enclosed")
    func otherSigner() async throws {
        let response = try self.provider.response("otherSigner")
        #expect(try await self.provider.refusal(of: response)?.hasPrefix(Self.unverified) == true)
    }

    @Test func `with a wrong signature around a right one is refused`() async throws {
        let response = try self.provider.response("both")
        // The digest of the response no longer fits; that of the assertion does.
        let altered = response.replacing("status:Success\"/>", with: "status:Success\"></samlp:StatusCode> ")
        #expect(altered != response)
        #expect(try await self.provider.refusal(of: altered)?.hasPrefix(Self.unverified) == true)
    }

    @Test func `signed with SHA-1 counts only where that is configured`() async throws {
        let response = try self.provider.response("sha1")
        #expect(try await self.provider.refusal(of: response) == AssertionFault.signatureAlgorithm.detail)
        let lenient = try LassoPlatformAssertions(acceptsSHA1: true)
        #expect(try await self.provider.refusal(of: response, by: lenient) == nil)
        let altered = response.replacing(">viewer-17<", with: ">viewer-18<")
        #expect(try await self.provider.refusal(of: altered, by: lenient)?.hasPrefix(Self.unverified) == true)
    }

    @Test func `encrypted for a key that is not at hand is refused`() async throws {
        let response = try self.provider.response("encrypted")
        let keyless = try LassoPlatformAssertions()
        #expect(try await self.provider.refusal(of: response, by: keyless) == AssertionFault.missingPrivateKey.detail)
        let other = try LassoPlatformAssertions(privateKey: self.provider.otherPrivateKey)
        #expect(try await self.provider.refusal(of: response, by: other)?.contains("was not decrypted") == true)
    }

    @Test func `that tells of a failed sign-in, or of nobody, is refused`() async throws {
        let expected: [(String, AssertionFault)] = [
            ("denied", .statusNotSuccess), ("nobody", .missingSubject), ("namelessName", .missingSubject),
        ]
        for (name, fault) in expected {
            #expect(try await self.provider.refusal(of: try self.provider.response(name)) == fault.detail)
        }
        // Also when an assertion comes along, and nobody signed the status.
        let failed = try self.provider.response("good").replacing("status:Success", with: "status:Responder")
        #expect(try await self.provider.refusal(of: failed) == AssertionFault.statusNotSuccess.detail)
    }

    @Test func `made for someone else is refused`() async throws {
        let expected: [(String, AssertionFault)] = [
            ("otherAudience", .wrongAudience), ("unrestricted", .missingAudience),
            ("otherRecipient", .wrongDestination),
        ]
        for (name, fault) in expected {
            #expect(try await self.provider.refusal(of: try self.provider.response(name)) == fault.detail)
        }
        // The destination is not signed here, the recipient is.
        let redirected = try self.provider.response("otherRecipient")
            .replacing("Destination=\"https://other.example/acs\"", with: "")
        #expect(try await self.provider.refusal(of: redirected) == AssertionFault.wrongRecipient.detail)
    }

    @Test func `of an issuer that is not the configured one is refused`() async throws {
        let inside = try self.provider.response("otherIssuer")
        #expect(try await self.provider.refusal(of: inside) == AssertionFault.wrongIssuer.detail)
        let good = try self.provider.response("good")
        let issuer = "<saml:Issuer>\(IdentityProvider.issuer)</saml:Issuer>"
        let outside = good.replacing(
            issuer, with: "<saml:Issuer>https://other.example/saml</saml:Issuer>", maxReplacements: 1)
        #expect(outside != good)
        #expect(try await self.provider.refusal(of: outside) == AssertionFault.wrongIssuer.detail)
    }

    @Test("counts from 120 seconds before its time until 120 seconds after it, by the clock of the caller")
    func leeway() async throws {
        let good = try self.provider.response("good")
        let cases: [(Duration, AssertionFault?)] = [
            (.seconds(-121), .notYetValid), (.milliseconds(-120_001), .notYetValid), (.seconds(-120), nil),
            (.seconds(300 + 119), nil), (.milliseconds(300_000 + 119_999), nil), (.seconds(300 + 120), .expired),
            (.seconds(300 + 121), .expired),
        ]
        for (after, fault) in cases {
            #expect(try await self.provider.refusal(of: good, after: after) == fault?.detail, "\(after)")
        }
        let confirmed = try self.provider.response("confirmedShortly")
        #expect(try await self.provider.refusal(of: confirmed, after: .seconds(60 + 119)) == nil)
        #expect(
            try await self.provider.refusal(of: confirmed, after: .seconds(60 + 121)) == AssertionFault.expired.detail)
        // Whoever remembers what was used need not remember longer.
        #expect(try await self.provider.verify(confirmed).expires == IdentityProvider.start + .seconds(60 + 120))
    }

    @Test func `does not outlive the sign-in it tells of`() async throws {
        let short = try self.provider.response("shortSession")
        let assertion = try await self.provider.verify(short, after: .milliseconds(29_999))
        #expect(assertion.expires == IdentityProvider.start + .seconds(30))
        #expect(assertion.sessionEnd == IdentityProvider.start + .seconds(30))
        #expect(try await self.provider.verify(try self.provider.response("plain")).sessionEnd == nil)
        #expect(try await self.provider.refusal(of: short, after: .seconds(30)) == AssertionFault.expired.detail)
        let strange = try self.provider.response("strangeTime")
        #expect(try await self.provider.refusal(of: strange) == AssertionFault.unreadableTime.detail)
    }

    @Test func `waits only when few others do`() async throws {
        let full = try LassoPlatformAssertions(queue: AssertionQueue(maximumWaiting: 0))
        let good = try self.provider.response("good")
        #expect(try await self.provider.refusal(of: good, by: full) == AssertionFault.busy.detail)
    }

    @Test func `is verified alike when many come at once`() async throws {
        let names = ["good", "otherSigner", "encrypted", "unsigned"]
        let queue = AssertionQueue(maximumWaiting: 100)
        let assertions = try LassoPlatformAssertions(privateKey: self.provider.privateKey, queue: queue)
        let refusals = try await concurrently(100) { number -> (name: String, refusal: String?) in
            let name = names[number % names.count]
            return (name, try await self.provider.refusal(of: try self.provider.response(name), by: assertions))
        }
        var taken: [String: Int] = [:]
        for (name, refusal) in refusals where refusal == nil { taken[name, default: 0] += 1 }
        #expect(taken == ["good": 25, "encrypted": 25])
    }

    static let unverified = "Platform SSO: the response was not verified: "
}
