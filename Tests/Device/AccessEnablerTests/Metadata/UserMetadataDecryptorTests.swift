import AccessEnabler
import Cryptography
import FoundationEssentials
import TestSupport
import Testing

@Suite("UserMetadataDecryptor", .box, .timeLimit(.minutes(5)))
struct UserMetadataDecryptorTests {
    private let folder: TemporaryFolder

    init() throws { self.folder = try TemporaryFolder() }

    /// What `openssl` makes of `text` for the holder of `key`, as Base64.
    private func sealed(_ text: String, for key: RSAPrivateKey) async throws -> String {
        let publicKey = try folder.write(try key.verificationKey.pem(), to: "public.pem")
        let clear = try folder.write(text, to: "clear")
        let command = try ChildProcess(
            "openssl",
            [
                "pkeyutl", "-encrypt", "-pubin", "-inkey", publicKey, "-in", clear, "-out", folder.file("sealed"),
                "-pkeyopt", "rsa_padding_mode:pkcs1",
            ])
        let ended = await command.run()
        try #require(ended.end == .exited(0), "\(ended.talk)")
        return try Data(contentsOf: URL(filePath: folder.file("sealed"))).base64EncodedString()
    }

    private func pem(_ key: RSAPrivateKey) throws -> String {
        try key.pem().withBytes { String(decoding: $0, as: UTF8.self) }
    }

    @Test("opens what was encrypted for the key", arguments: ["12345", #"["12345","34567"]"#, "Müller", ""])
    func opens(text: String) async throws {
        let key = try RSAPrivateKey.generate()
        let decryptor = try AccessEnabler.UserMetadataDecryptor(privateKeyPEM: self.pem(key))
        let value = try await self.sealed(text, for: key)
        #expect(try decryptor.decrypt(.string(value)) == text)
        // Base64 as a service may wrap it.
        #expect(try decryptor.decrypt(.string(value.prefix(76) + "\r\n" + value.dropFirst(76))) == text)
    }

    @Test func `takes the older form of a key, as openssl writes it`() async throws {
        let command = try ChildProcess("openssl", ["genrsa", "-traditional", "-out", folder.file("key.pem"), "2048"])
        try #require(await command.run().end == .exited(0))
        let pem = try folder.read("key.pem")
        #expect(pem.hasPrefix("-----BEGIN RSA PRIVATE KEY-----"))
        let value = try await self.sealed("12345", for: try RSAPrivateKey(pem: Secret(pem)))
        #expect(try AccessEnabler.UserMetadataDecryptor(privateKeyPEM: pem).decrypt(.string(value)) == "12345")
    }

    @Test func `opens a value as getMetadata delivers it`() async throws {
        let key = try RSAPrivateKey.generate()
        let value = try await self.sealed(#"["12345"]"#, for: key)
        let service = try ScriptedService {
            $0.userMetadata = #"{"updated":1,"encrypted":["zip"],"data":{"zip":"\#(value)"}}"#
        }
        let application = try await box.signedIn(service)
        let result = await application.enabler.metadata(.user(name: "zip"))
        #expect(result.isEncrypted)
        let decryptor = try AccessEnabler.UserMetadataDecryptor(privateKeyPEM: self.pem(key))
        #expect(try decryptor.decrypt(#require(result.value)) == #"["12345"]"#)
    }

    @Test func `does not open what was encrypted for another key`() async throws {
        let value = try await self.sealed("12345", for: RSAPrivateKey.generate())
        let decryptor = try AccessEnabler.UserMetadataDecryptor(privateKeyPEM: self.pem(RSAPrivateKey.generate()))
        #expect((try? decryptor.decrypt(.string(value))) != "12345")
    }

    @Test(arguments: [
        AccessEnabler.MetadataValue.string("?"), .string(""), .string("AAAA"), .array([.string("AAAA")]),
        .number(1), .bool(true),
    ])
    func `refuses what cannot be an encrypted value`(value: AccessEnabler.MetadataValue) throws {
        let decryptor = try AccessEnabler.UserMetadataDecryptor(privateKeyPEM: self.pem(RSAPrivateKey.generate()))
        #expect(throws: AccessEnabler.UserMetadataDecryptor.Failure.self) { try decryptor.decrypt(value) }
    }

    @Test func `refuses what is not an RSA private key`() async throws {
        let command = try ChildProcess(
            "openssl",
            ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", folder.file("ec.pem")])
        try #require(await command.run().end == .exited(0))
        let publicKey = try RSAPrivateKey.generate().verificationKey.pem()
        for text in ["", "hello", try folder.read("ec.pem"), publicKey] {
            #expect(throws: AccessEnabler.UserMetadataDecryptor.Failure.self) {
                try AccessEnabler.UserMetadataDecryptor(privateKeyPEM: text)
            }
        }
    }
}
