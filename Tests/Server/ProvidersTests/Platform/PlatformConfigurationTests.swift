import Entitlement
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import Providers

@Suite("The configuration of platform SSO", .timeLimit(.minutes(5)))
struct PlatformConfigurationTests {
    let provider: IdentityProvider

    init() throws { self.provider = try IdentityProvider.shared.get() }

    private func fault(of metadata: String?) throws -> ProviderError? {
        thrown { () throws(ProviderError) in
            try LassoPlatformAssertions().check(IdentityProvider.boarding(metadata: metadata))
        }
    }

    @Test func `is right with the metadata of a real identity provider`() throws {
        #expect(try self.fault(of: self.provider.metadata) == nil)
        let keyed = try LassoPlatformAssertions(privateKey: self.provider.privateKey)
        try keyed.check(self.provider.boarding)
    }

    @Test func `says what is wrong with the metadata`() throws {
        let metadata = self.provider.metadata
        let start = try #require(metadata.firstRange(of: "<ds:X509Certificate>")).upperBound
        let end = try #require(metadata.firstRange(of: "</ds:X509Certificate>")).lowerBound
        let certificate = String(metadata[start..<end])
        let cases: [(String?, AssertionFault)] = [
            (nil, .missingMetadata), ("", .metadataNotXML), ("https://idp.provider.example/metadata", .metadataNotXML),
            ("<!DOCTYPE a>" + metadata, .metadataNotXML), (String(metadata.dropLast(9)), .metadataNotXML),
            (metadata + String(repeating: " ", count: 1024 * 1024), .metadataNotXML),
            (metadata.replacing("entityID=", with: "entity="), .metadataWithoutEntity),
            (metadata.replacing("\(IdentityProvider.issuer)", with: ""), .metadataWithoutEntity),
            (metadata.replacing("EntityDescriptor", with: "EntitiesDescriptor"), .metadataWithoutEntity),
            (metadata.replacing("IDPSSODescriptor", with: "SPSSODescriptor"), .metadataWithoutIdentityProvider),
            (metadata.replacing("SAML:2.0:protocol", with: "SAML:1.1:protocol"), .metadataWithoutIdentityProvider),
            (metadata.replacing("use=\"signing\"", with: "use=\"encryption\""), .metadataWithoutCertificate),
            (metadata.replacing(certificate, with: ""), .metadataWithoutCertificate),
            (metadata.replacing(certificate, with: "AAAA" + certificate), .metadataWithoutCertificate),
            (metadata.replacing("X509Certificate", with: "X509SubjectName"), .metadataWithoutCertificate),
        ]
        for (metadata, fault) in cases {
            #expect(try self.fault(of: metadata) == fault.providerError, "\(fault)")
        }
    }

    @Test func `says so when the private key cannot be used`() throws {
        #expect(self.provider.unfitKeys.count == 4)
        for (name, key) in self.provider.unfitKeys {
            #expect(throws: AssertionFault.unusablePrivateKey.providerError, "\(name)") {
                try LassoPlatformAssertions(privateKey: key)
            }
        }
    }

    /// The declarations in `CLasso/shim.h` are written by hand; a compiler that sees both refuses any that differ.
    @Test func `rests on declarations that agree with the library's headers`() throws {
        let shim = URL(filePath: ProjectFolder.file("Sources/CLibraries/CLasso/shim.h"))
        let text = String(decoding: try Data(contentsOf: shim), as: UTF8.self)
        #expect(try Self.compile(text) == nil)
        // The check itself, which must see what differs.
        for (old, new) in [
            ("CLASSO_ROLE_IDP 2", "CLASSO_ROLE_IDP 1"), ("int lasso_init(void)", "long lasso_init(void)"),
            ("    int type;\n    const unsigned char *name;", "    const unsigned char *name;\n    int type;"),
        ] {
            #expect(text.contains(old))
            #expect(try Self.compile(text.replacing(old, with: new)) != nil)
        }
    }

    private static func compile(_ shim: String) throws -> String? {
        let folder = try TemporaryFolder()
        let members = ["type", "name", "children", "next", "ns"]
        let offsets =
            members.map { ("classo_element", "xmlNode", $0) } + members.map { ("classo_attribute", "xmlAttr", $0) }
            + ["content", "properties", "nsDef"].map { ("classo_element", "xmlNode", $0) }
            + ["href", "next"].map { ("classo_namespace", "xmlNs", $0) }
        let values = [
            ("CLASSO_ROLE_IDP", "LASSO_PROVIDER_ROLE_IDP"), ("CLASSO_PEM", "xmlSecKeyDataFormatPem"),
            ("CLASSO_ELEMENT", "XML_ELEMENT_NODE"),
            ("CLASSO_TEXT", "XML_TEXT_NODE"), ("CLASSO_CDATA", "XML_CDATA_SECTION_NODE"),
            ("CLASSO_COMMENT", "XML_COMMENT_NODE"),
            ("CLASSO_PARSE_OPTIONS", "(XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING)"),
        ]
        let comparisons =
            offsets.map { "offsetof(\($0), \($2)) == offsetof(\($1), \($2))" } + values.map { "\($0) == \($1)" }
        try folder.write(shim, to: "shim.h")
        try folder.write(
            """
            #include <lasso/lasso.h>
            #include <lasso/saml-2.0/saml2_helper.h>
            #include <libxml/parser.h>
            #include <xmlsec/xmlsec.h>
            #include <xmlsec/errors.h>
            #include <xmlsec/openssl/app.h>
            #include <xmlsec/xmlenc.h>
            #include <zlib.h>
            #include "shim.h"
            \(comparisons.map { "_Static_assert(\($0), \"\");" }.joined(separator: "\n"))
            """, to: "both.c")
        let command = "clang -Wno-nullability-completeness -fsyntax-only $(pkg-config --cflags lasso) both.c"
        let status = unsafe system("cd '\(folder.path)' && \(command) >talk 2>&1")
        return status == 0 ? nil : try folder.read("talk")
    }

    @Test func `rests on a library that is new enough`() throws {
        let library = try LassoLibrary.prepare()
        try library.require(2, 7, 0)
        #expect(throws: AssertionFault.libraryMissing(name: "lasso 99.0.0 or newer")) { try library.require(99, 0, 0) }
    }

    @Test func `is needed before a response is read`() async throws {
        let assertions = try LassoPlatformAssertions()
        await #expect(throws: AssertionFault.missingMetadata.providerError) {
            try await assertions.verify(
                Array(try self.provider.response("good").utf8), for: IdentityProvider.boarding(metadata: nil),
                audience: IdentityProvider.audience, recipient: IdentityProvider.recipient, now: IdentityProvider.start)
        }
    }
}
