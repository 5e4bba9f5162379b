import Entitlement
import Glibc
import TestSupport
import Testing

@testable import Providers

@Suite("A response made to do harm", .timeLimit(.minutes(5)))
struct HostileResponseTests {
    let provider: IdentityProvider

    init() throws { self.provider = try IdentityProvider.shared.get() }

    private func refusal(of bytes: [UInt8]) async throws -> String? {
        do {
            _ = try await self.provider.verify(bytes)
            return nil
        } catch let error as ProviderError {
            return error.detail
        }
    }

    @Test("is not parsed when it declares a document type, whose entities would grow or fetch something")
    func documentType() async throws {
        let good = try self.provider.response("good")
        let bomb = """
            <!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">\
            <!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;">]>
            """
        let prefixes = [
            bomb, "<?xml version=\"1.0\"?>\n" + bomb, "<!doctype r>",
            "<!DOCTYPE r SYSTEM \"file:///etc/passwd\">", "<?xml version=\"1.0\" encoding=\"utf-8\"?><!DOCTYPE r>",
        ]
        for prefix in prefixes {
            let response = prefix + good.replacing("viewer-17", with: "&d;")
            #expect(try await self.provider.refusal(of: response) == AssertionFault.documentType.detail)
        }
    }

    @Test("is refused in an encoding where a document type could hide, and in bytes that are no text")
    func encodings() async throws {
        let good = try self.provider.response("good")
        let wide = Array(good.utf16.map { [UInt8(truncatingIfNeeded: $0), 0] }.joined())
        var broken = Array(good.utf8)
        broken[broken.count / 2] = 0xFF
        let cases: [[UInt8]] = [
            wide, [0xFF, 0xFE] + wide, [0xEF, 0xBB, 0xBF] + Array(good.utf8), broken, [], [0],
            Array("<?xml version=\"1.0\" encoding=\"UTF-7\"?>\(good)".utf8),
            Array("<?xml version=\"1.0\" encoding='ISO-8859-1'?>\(good)".utf8),
            Array("<?xml version=\"1.0\"\(String(repeating: " ", count: 300))encoding=\"UTF-7\"?>\(good)".utf8),
            Array(good.utf8.dropLast()), Array((good + good).utf8), Array("viewer".utf8),
        ]
        for bytes in cases { #expect(try await self.refusal(of: bytes) == AssertionFault.notXML.detail) }
        for declaration in ["<?xml version=\"1.0\"?>", "<?xml version='1.0' encoding='utf-8'?>\n", "\n"] {
            #expect(try await self.refusal(of: Array((declaration + good).utf8)) == nil)
        }
    }

    @Test("is not parsed when it is larger than the domain takes")
    func size() async throws {
        let good = Array(try self.provider.response("good").utf8)
        let fill = { (count: Int) in good + [UInt8](repeating: UInt8(ascii: "\n"), count: count - good.count) }
        let limit = PlatformBoarding.maximumLength
        #expect(try await self.refusal(of: fill(limit)) == nil)
        #expect(try await self.refusal(of: fill(limit + 1)) == AssertionFault.tooLarge.detail)
        #expect(try await self.refusal(of: fill(300 * 1024)) == AssertionFault.tooLarge.detail)
    }

    @Test("is refused when it is too deep or has too many elements")
    func complexity() async throws {
        let good = try self.provider.response("good")
        let inside = { (text: String) in good.replacing("<samlp:Status>", with: "\(text)<samlp:Status>") }
        for depth in [40, 200, 300, 10_000] {
            let deep = String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
            let refusal = try await self.provider.refusal(of: inside(deep))
            #expect(refusal == AssertionFault.tooComplex.detail || refusal == AssertionFault.notXML.detail)
        }
        let wide = inside(String(repeating: "<a/>", count: 512))
        #expect(try await self.provider.refusal(of: wide) == AssertionFault.tooComplex.detail)
        // A stranger can encrypt for the key that this server publishes. Our reader takes no element with so many
        // declarations.
        let hidden = try self.provider.response("encryptedBomb")
        #expect(try await self.provider.refusal(of: hidden) == AssertionFault.notXML.detail)
    }

    @Test func `is refused when it is another document, or points outside of itself`() async throws {
        let good = try self.provider.response("good")
        let encrypted = try self.provider.response("encrypted")
        let cases: [(String, AssertionFault)] = [
            ("<a/>", .statusNotSuccess),
            (good.replacing("samlp:Response", with: "samlp:ArtifactResponse"), .notResponse),
            (good.replacing("Version=\"2.0\" IssueInstant", with: "Version=\"1.1\" IssueInstant"), .notResponse),
            (good.replacing("SAML:2.0:protocol", with: "SAML:1.0:protocol"), .statusNotSuccess),
            (
                good.replacing("<KeyInfo>", with: "<KeyInfo><RetrievalMethod URI=\"http://localhost/\"/>"),
                .externalReference
            ),
            (
                encrypted.replacing("<CipherData>", with: "<CipherData><CipherReference URI=\"http://localhost/\"/>"),
                .externalReference
            ),
            (good.replacing("<samlp:Status>", with: "<?php ?><samlp:Status>"), .foreignContent),
        ]
        for (response, fault) in cases {
            #expect(try await self.provider.refusal(of: response) == fault.detail)
        }
    }

    @Test func `is refused when it holds unknown elements, also where they come out of an encryption`() async throws {
        for name in ["strange", "encryptedStrange", "encryptedTwice", "encryptedNameInside"] {
            let refusal = try await self.provider.refusal(of: try self.provider.response(name))
            #expect(refusal == AssertionFault.unknownElement.detail, "\(name): \(refusal ?? "taken")")
        }
    }

    @Test("by random damage is never taken for anything but what the provider said, and never ends the server")
    func damage() async throws {
        let names = ["good", "whole", "encrypted", "encryptedWhole", "encryptedName"]
        let responses = try names.map { try self.provider.response($0) }
        var said: [PlatformAssertion] = []
        for response in responses { said.append(try await self.provider.verify(response)) }
        let assertions = try LassoPlatformAssertions(privateKey: self.provider.privateKey)
        var refusals: [String: Int] = [:]
        var taken = 0
        for response in Mutations(of: responses, count: 500, seed: 0x5A_4D_4C) {
            do {
                let assertion = try await self.provider.verify(response, by: assertions)
                #expect(said.contains { $0 == assertion })
                taken += 1
            } catch let error as ProviderError {
                refusals[error.detail, default: 0] += 1
            }
        }
        // The damage got as far as the library, and did not only break the XML.
        #expect(refusals.keys.contains { $0.hasPrefix(PlatformAssertionTests.unverified) })
        #expect(refusals.keys.contains(AssertionFault.notXML.detail))
        #expect(taken < 250, "\(refusals)")
    }

    @Test func `leaves no trace on standard error`() async throws {
        let folder = try TemporaryFolder()
        let kept = dup(2)
        let file = unsafe open(folder.file("talk"), O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
        try #require(kept >= 0 && file >= 0)
        dup2(file, 2)
        let good = try self.provider.response("good")
        let encrypted = try self.provider.response("encrypted")
        let other = try LassoPlatformAssertions(privateKey: self.provider.otherPrivateKey)
        _ = try? await self.provider.verify(good.replacing(">viewer-17<", with: ">viewer-18<"))
        _ = try? await self.provider.verify(encrypted, by: other)
        _ = try? await self.provider.verify(good + "<")
        dup2(kept, 2)
        close(kept)
        close(file)
        let talk = try folder.read("talk")
        for word in ["Lasso", "lasso", "xmlSec", "xmlsec", "libxml", "viewer-1", "parser error", "CRITICAL"] {
            #expect(!talk.contains(word))
        }
    }
}
