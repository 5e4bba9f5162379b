import FoundationEssentials
import TestSupport
import Testing

@testable import Providers

@Suite("A SAML message, written anew for the library", .timeLimit(.minutes(5)))
struct SAMLDocumentTests {
    let provider: IdentityProvider

    init() throws { self.provider = try IdentityProvider.shared.get() }

    private static func document(_ text: String) throws -> SAMLDocument {
        try SAMLDocument(SAMLText(Array(text.utf8), maximumSize: 1024 * 1024))
    }

    private static func root(_ text: String) throws -> XMLElement {
        try XMLDocumentHandle.parse(SAMLText(Array(text.utf8), maximumSize: 1024 * 1024)).root(comments: .refused)
    }

    @Test func `keeps its signature in whatever way it was written`() async throws {
        let good = try self.provider.response("good")
        let rewritings = [
            (">viewer-17<", "><![CDATA[viewer-17]]><"), (">viewer-17<", ">&#118;iewer-&#x31;7<"),
            ("<saml:Subject>", "<saml:Subject\n\t >"), ("</saml:Subject>", "</saml:Subject >"),
            (" Version=\"2.0\"", " Version = '2.0'"), (" Version=\"2.0\"", " Version=\"&#50;.0\""),
            ("<samlp:Response ", "<?xml version='1.0'?><!-- a --><?a b?>\n<samlp:Response "),
            ("</samlp:Response>", "</samlp:Response><!-- a --><?a b?>\n"),
        ]
        for (old, new) in rewritings {
            let response = good.replacing(old, with: new)
            #expect(response != good)
            #expect(try await self.provider.refusal(of: response) == nil, "\(new)")
            let written = try Self.document(response).written.text
            for mark in ["<!", "<?", "CDATA", "&#118;", "'"] { #expect(!written.contains(mark), "\(new)") }
        }
    }

    @Test func `is read by the library as our own reader read it`() throws {
        let texts = try IdentityProvider.scenarios.keys.map { try self.provider.response($0) }
        var compared = 0
        for text in texts + Mutations(of: texts, count: 1000, seed: 0x46_32_33) {
            guard let document = try? Self.document(text) else { continue }
            compared += 1
            // Names with characters that XML does not admit are the library's to refuse.
            guard let root = try? Self.root(document.written.text) else { continue }
            #expect(root == document.root, "\(text)")
        }
        #expect(compared > texts.count + 20, "or the damage was never survived")
    }

    @Test func `is refused with an element that responses are not made of, before the library sees it`() async throws {
        let good = try self.provider.response("good")
        let elements = [
            "<a xmlns='urn:a'/>", "<a xmlns=''/>", "<saml:Statement/>", "<samlp:AuthnRequest/>",
            "<saml:\u{212A}eyInfo/>",
            "<ds:DSAKeyValue xmlns:ds='http://www.w3.org/2000/09/xmldsig#'/>",
            "<lasso:Dump xmlns:lasso='http://www.entrouvert.org/namespaces/lasso/0.0'/>",
        ]
        for element in elements {
            let response = good.replacing(
                "<samlp:Status>", with: "<samlp:Extensions>\(element)</samlp:Extensions><samlp:Status>")
            #expect(try await self.provider.refusal(of: response) == AssertionFault.unknownElement.detail, "\(element)")
        }
        let empty = good.replacing("<samlp:Status>", with: "<samlp:Extensions/><samlp:Status>")
        #expect(try await self.provider.refusal(of: empty) == nil)
    }

    @Test func `is refused where its names have no meaning`() async throws {
        let good = try self.provider.response("good")
        let starts = [
            "<a:b/>", "<saml:2b/>", "<saml:-b/>", "<a:b:c xmlns:a='urn:a'/>", "<:a/>", "<saml:/>",
            "<saml:Advice a:b=''/>",
            "<saml:Advice xmlns:a=''/>", "<saml:Advice xmlns:xml='urn:a'/>", "<saml:Advice xmlns:xmlns='urn:a'/>",
        ]
        for start in starts {
            let response = good.replacing("<samlp:Status>", with: "\(start)<samlp:Status>")
            #expect(try await self.provider.refusal(of: response) == AssertionFault.notXML.detail, "\(start)")
        }
    }

    @Test func `goes to a library that is not older than the overview states`() async throws {
        let overview = URL(filePath: ProjectFolder.file("Sources/Server/Providers/Overview.swift"))
        let text = String(decoding: try Data(contentsOf: overview), as: UTF8.self)
        let start = try #require(text.firstRange(of: "Least version of lasso: ")).upperBound
        let least = String(text[start...].prefix { $0 != "," })
        let installed = try await ChildProcess("dpkg-query", ["-W", "-f=${Version}", "liblasso3"]).run()
        let version = installed.output.filter { $0 != "\n" }
        let (end, _, _) = try await ChildProcess("dpkg", ["--compare-versions", version, "ge", least]).run()
        #expect(end == .exited(0), "liblasso3 is \(version), and \(least) is needed")
    }
}
