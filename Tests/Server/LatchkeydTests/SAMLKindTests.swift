import Clientless
import CommandLineTool
import Cryptography
import Observability
import TestSupport
import Testing

@testable import latchkeyd

private let address = "metadataAddress: 'https://idp.example/metadata.xml'"
private let needed = "\(address), keys: ['saml.pem'], lineUpAttribute: 'channels'"

@Suite("A configured provider with SAML")
struct SAMLKindTests {
    private static let mvpd = MVPDID("CableNova")!

    private static func text(_ saml: String, kind: String = "saml") -> String {
        configurationText(provider: "kind: '\(kind)', saml: { \(saml) }")
    }

    private func kind(_ saml: String) throws -> SAMLKind {
        return try #require(configuration(Self.text(saml)).providers[Self.mvpd]?.kind as? SAMLKind)
    }

    @Test func `needs no more than the address of metadata, a key and where channels are said`() throws {
        let kind = try self.kind(needed)
        #expect(kind.files.map(\.name) == ["saml.pem"] && kind.files.allSatisfy(\.isSecret))
        #expect(!kind.settings.takesSignedResponses && !kind.settings.acceptsSHA1)
        let local = try self.kind("metadataAddress: 'http://127.0.0.1:8080/metadata', keys: ['a', 'b'], lineUp: ['*']")
        #expect(local.files.map(\.setting) == ["saml.keys[0]", "saml.keys[1]"])
        let file = try self.kind("metadataFile: 'idp.xml', keys: ['a'], lineUp: ['*'], metadataCertificate: 'b.pem'")
        #expect(file.files.map(\.name) == ["idp.xml", "a", "b.pem"])
        #expect(file.files.map(\.isSecret) == [false, true, false])
    }

    @Test(arguments: [
        ("keys: ['a'], lineUp: ['*']", "metadataAddress"),
        ("metadataAddress: 'http://idp.example/metadata', keys: ['a'], lineUp: ['*']", "metadataAddress"),
        ("\(address), metadataFile: 'idp.xml', keys: ['a'], lineUp: ['*']", "metadataFile"),
        ("\(address), lineUp: ['*']", "keys"), ("\(address), keys: ['a']", "lineUpAttribute"),
        ("\(address), keys: ['a'], lineUp: ['*'], lineUpAttribute: 'x'", "lineUp"),
        ("\(needed), requestBinding: 'artifact'", "requestBinding"),
        ("\(needed), metadata: [{ key: 'zip' }]", "claim"),
        ("\(needed), metadata: [{ key: 'a', claim: 'b' }, { key: 'a', claim: 'c' }]", "metadata"),
    ])
    func `is refused with what contradicts itself or is missing`(saml: String, setting: String) {
        let found = faults(of: Self.text(saml))
        // An integration with a provider that was not taken is reported, too.
        #expect(found.contains { $0.contains("saml") && $0.contains(".\(setting) ") }, "\(found)")
    }

    @Test func `is not set for providers of other kinds`() {
        #expect(faults(of: Self.text("entityID: 'a'", kind: "local")).count == 1)
        #expect(faults(of: Self.text("metadata: [], keys: []", kind: "local")) == [])
    }

    @Test func `keeps its client while its settings and its files stay`() async throws {
        let clients = ProviderClients(logger: Logger.silent)
        let configuration = try configuration(smallConfiguration)
        let (kind, other) = (try self.kind(needed), try self.kind("\(needed), forceAuthn: true"))
        let keys = try (0..<2).map { _ in try RSAPrivateKey.generate().pem() }
        func client(_ kind: SAMLKind, _ key: Secret) throws -> ObjectIdentifier {
            ObjectIdentifier(
                try kind.client(of: Self.mvpd, [SAMLSettings.keySetting(0): key], clients, in: configuration))
        }
        clients.beginRound()
        let first = try client(kind, keys[0])
        clients.forgetOthers()
        #expect(try client(kind, keys[0]) == first)
        #expect(try client(kind, keys[1]) != first)
        #expect(try client(other, keys[0]) != first)
        await clients.shutDown()
    }

    @Test func `reports files that cannot be used`() throws {
        let kind = try self.kind("metadataFile: 'idp.xml', keys: ['a'], lineUp: ['*'], metadataCertificate: 'b.pem'")
        let key = try RSAPrivateKey.generate().pem()
        func faults(_ key: Secret, _ metadata: String, _ certificate: String) -> [String] {
            kind.faults(
                of: Self.mvpd,
                files: [
                    SAMLSettings.keySetting(0): key, SAMLSettings.metadataSetting: Secret(metadata),
                    SAMLSettings.certificateSetting: Secret(certificate),
                ])
        }
        #expect(faults(Secret("x"), "<a/>", "b").first?.contains("saml.keys[0]") == true)
        #expect(faults(key, "<a/>", "b").first?.contains("saml.metadataCertificate") == true)
        let certificate = Base64.encode(try SelfSignedCertificate(of: RSAPrivateKey(pem: key), name: "x").der)
        let pem = "-----BEGIN CERTIFICATE-----\n\(certificate)\n-----END CERTIFICATE-----\n"
        #expect(faults(key, "<a/>", pem).first?.contains("saml.metadataFile") == true)
    }

    @Test func `makes a key, and says what the attributes of a viewer become`() async throws {
        let setUp = try await TestSetUp.demo()
        let settings = """
            id: "RealTV", name: "Real TV", kind: "saml", saml: {
                metadataAddress: "https://idp.example/metadata.xml", keys: ["saml.pem"], lineUpAttribute: "channels",
                metadata: [
                    { key: "zip", claim: "zip", pattern: "^([0-9]{2})", template: "$1xxx", list: true },
                    { key: "householdID", claim: "household", hash: "keyed" }, { key: "maxRating", claim: "age" },
                ] }
            """
        try setUp.replace("providers: [\n", with: "providers: [\n{ \(settings) },\n")
        let file = setUp.folder.file("server/saml.pem")
        #expect(try await CommandRun.run("provider", "make-key", file).code == .success)
        #expect(try await CommandRun.run("provider", "make-key", file).code != .success)
        func attribute(_ name: String, _ values: String...) -> String {
            let values = values.map { "<a:AttributeValue>\($0)</a:AttributeValue>" }.joined()
            return "<a:Attribute Name=\"\(name)\">\(values)</a:Attribute>"
        }
        let attributes = [
            attribute("zip", "10115", "x"), attribute("household", "h1"), attribute("channels", "NS-MAIN", "7"),
        ]
        try setUp.folder.write(
            """
            <a:Assertion xmlns:a="urn:oasis:names:tc:SAML:2.0:assertion"><a:Subject><a:NameID>v</a:NameID></a:Subject>\
            <a:AttributeStatement>\(attributes.joined())</a:AttributeStatement></a:Assertion>
            """, to: "assertion.xml")
        let program = "'\(BuiltProgram.path)' provider try-mapping RealTV --config '\(setUp.configurationFile)'"
        let (end, output, talk) = try await ChildProcess(
            "sh", ["-c", "\(program) <'\(setUp.folder.file("assertion.xml"))'"]
        ).run()
        #expect(end == .exited(0), "\(talk)")
        #expect(output.contains(#""lineUp":["NS-MAIN","7"]"#) && output.contains(#""zip":["10xxx"]"#), "\(output)")
        #expect(!output.contains("h1") && talk.contains("maxRating"))
        #expect(try await ChildProcess("sh", ["-c", "echo '<x/>' | \(program)"]).run().0 != .exited(0))
    }
}
