import Cryptography
import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// The `openssl` program in a folder of its own, as an implementation that shares no code of ours.
private struct OpenSSLTool {
    private let folder: TemporaryFolder

    init() throws { self.folder = try TemporaryFolder() }

    /// Runs the program, whose arguments are all ours, and says whether it succeeded.
    func run(_ arguments: String) -> Bool {
        unsafe system("cd '\(self.folder.path)' && openssl \(arguments) </dev/null >/dev/null 2>&1") == 0
    }

    func write(_ bytes: some Sequence<UInt8>, to name: String) throws {
        try Data(Array(bytes)).write(to: URL(filePath: self.folder.file(name)))
    }

    func read(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: self.folder.file(name))))
    }

    func text(_ name: String) throws -> String { try self.folder.read(name) }
}

@Suite("The openssl program")
struct OpenSSLToolTests {
    private let tool: OpenSSLTool

    init() throws { self.tool = try OpenSSLTool() }

    static let message = Array("<token>\u{e9}</token>".utf8)

    @Test func `verifies our signatures of either kind, and refuses them for another message`() throws {
        let keys: [any SigningKey] = [try RSAPrivateKey.generate(), try ECPrivateKey.generate()]
        for key in keys {
            try tool.write(try key.verificationKey.pem().utf8, to: "public.pem")
            try tool.write(Self.message, to: "message")
            try tool.write(try key.signature(for: Self.message), to: "signature")
            #expect(tool.run("dgst -sha256 -verify public.pem -signature signature message"))
            try tool.write(Self.message + [0], to: "message")
            #expect(!tool.run("dgst -sha256 -verify public.pem -signature signature message"))
        }
    }

    @Test(arguments: ["RSA -pkeyopt rsa_keygen_bits:2048", "EC -pkeyopt ec_paramgen_curve:P-256"])
    func `makes keys and signatures that we read and verify, also from a certificate`(_ algorithm: String) throws {
        try tool.write(Self.message, to: "message")
        try #require(tool.run("genpkey -algorithm \(algorithm) -out private.pem"))
        try #require(tool.run("pkey -in private.pem -pubout -out public.pem"))
        try #require(tool.run("req -x509 -new -key private.pem -subj /CN=test -days 1 -out certificate.pem"))
        try #require(tool.run("dgst -sha256 -sign private.pem -out signature message"))
        let signature = try tool.read("signature")
        for file in ["public.pem", "certificate.pem"] {
            let key = try VerificationKey(pem: tool.text(file))
            #expect(key.isValidSignature(signature, for: Self.message), "\(file)")
            #expect(!key.isValidSignature(signature, for: Self.message + [0]), "\(file)")
            #expect(try key.pem() == tool.text("public.pem"))
        }
        let secret = Secret(try tool.read("private.pem"))
        let key: any SigningKey =
            algorithm.hasPrefix("RSA") ? try RSAPrivateKey(pem: secret) : try ECPrivateKey(pem: secret)
        #expect(try key.verificationKey.pem() == tool.text("public.pem"))
    }

    @Test func `reads the private keys we write`() throws {
        for pem in [try RSAPrivateKey.generate().pem(), try ECPrivateKey.generate().pem()] {
            try tool.write(pem.withBytes { $0 }, to: "private.pem")
            #expect(tool.run("pkey -in private.pem -check -noout"))
        }
    }

    @Test(arguments: [
        "RSA -pkeyopt rsa_keygen_bits:1024", "RSA-PSS -pkeyopt rsa_keygen_bits:2048",
        "EC -pkeyopt ec_paramgen_curve:P-384", "EC -pkeyopt ec_paramgen_curve:secp256k1", "ED25519",
    ])
    func `makes keys that we refuse: weak, huge, of another curve, of another algorithm`(_ algorithm: String) throws {
        try #require(tool.run("genpkey -algorithm \(algorithm) -out private.pem"))
        try #require(tool.run("pkey -in private.pem -pubout -out public.pem"))
        let (secret, text) = (Secret(try tool.read("private.pem")), try tool.text("public.pem"))
        let errors = [
            #expect(throws: CryptographyError.self) { try VerificationKey(pem: text) },
            #expect(throws: CryptographyError.self) { try RSAPrivateKey(pem: secret) },
            #expect(throws: CryptographyError.self) { try ECPrivateKey(pem: secret) },
        ]
        for error in errors { #expect(error?.code == .unusableKey) }
    }

    @Test func `makes encrypted keys, which we refuse without asking anybody for a pass phrase`() throws {
        try #require(
            tool.run("genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -aes256 -pass pass:x -out private.pem"))
        let error = #expect(throws: CryptographyError.self) {
            try ECPrivateKey(pem: Secret(try tool.read("private.pem")))
        }
        #expect(error?.code == .unusableKey)
    }

    @Test(arguments: [(bits: 2048, limit: 245), (bits: 3072, limit: 373)])
    func `decrypts what we encrypt for a certificate, up to what its key can hold`(bits: Int, limit: Int) throws {
        try #require(tool.run("genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:\(bits) -out private.pem"))
        try #require(tool.run("req -x509 -new -key private.pem -subj /CN=test -days 1 -out certificate.pem"))
        let key = try RSAPublicKey(certificatePEM: tool.text("certificate.pem"))
        for message in [[], Self.message, Array(repeating: 0xE9, count: limit)] {
            let sealed = try key.encrypt(message)
            #expect(sealed.count == bits / 8)
            #expect(try key.encrypt(message) != sealed)
            try tool.write(sealed, to: "sealed")
            try #require(
                tool.run("pkeyutl -decrypt -inkey private.pem -pkeyopt rsa_padding_mode:pkcs1 -in sealed -out clear"))
            #expect(try tool.read("clear") == message)
        }
        let error = #expect(throws: CryptographyError.self) {
            try key.encrypt(Array(repeating: 0, count: limit + 1))
        }
        #expect(error?.code == .sealingFailed)
    }

    @Test(
        "makes certificates that nothing is encrypted for: of a weak key, of another algorithm",
        arguments: ["RSA -pkeyopt rsa_keygen_bits:1024", "EC -pkeyopt ec_paramgen_curve:P-256"])
    func refusedCertificates(_ algorithm: String) throws {
        try #require(tool.run("genpkey -algorithm \(algorithm) -out private.pem"))
        try #require(tool.run("req -x509 -new -key private.pem -subj /CN=test -days 1 -out certificate.pem"))
        let certificate = try tool.text("certificate.pem")
        let error = #expect(throws: CryptographyError.self) { try RSAPublicKey(certificatePEM: certificate) }
        #expect(error?.code == .unusableKey)
    }

    @Test func `makes bare public keys, which are no certificates`() throws {
        try #require(tool.run("genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out private.pem"))
        try #require(tool.run("pkey -in private.pem -pubout -out public.pem"))
        for text in [try tool.text("public.pem"), "", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"]
        {
            let error = #expect(throws: CryptographyError.self) { try RSAPublicKey(certificatePEM: text) }
            #expect(error?.code == .unusableKey)
        }
    }
}
