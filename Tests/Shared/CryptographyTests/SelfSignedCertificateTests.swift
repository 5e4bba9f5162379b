import Cryptography
import TestSupport
import Testing

@Suite("A certificate of a key's own")
struct SelfSignedCertificateTests {
    @Test func `carries the key and the name, is signed with it, and is always the same`() async throws {
        let key = try RSAPrivateKey.generate()
        let certificate = try SelfSignedCertificate(of: key, name: "Latchkey for CableNova")
        #expect(try SelfSignedCertificate(of: key, name: "Latchkey for CableNova") == certificate)
        #expect(try SelfSignedCertificate(of: key, name: "other") != certificate)
        let pem = "-----BEGIN CERTIFICATE-----\n\(Base64.encode(certificate.der))\n-----END CERTIFICATE-----\n"
        #expect(try VerificationKey(pem: pem).pem() == key.verificationKey.pem())
        let folder = try TemporaryFolder()
        try folder.write(pem, to: "a.pem")
        // OpenSSL 3 reads a line of any length.
        let file = folder.file("a.pem")
        let (end, output, talk) = try await ChildProcess(
            "openssl", ["x509", "-in", file, "-noout", "-subject", "-issuer", "-dates"]
        ).run()
        #expect(end == .exited(0), "\(talk)")
        #expect(output.contains("subject=CN = Latchkey for CableNova"), "\(output)")
        #expect(output.contains("issuer=CN = Latchkey for CableNova"))
        #expect(output.contains("notAfter=Dec 31 23:59:59 2049"))
        let verified = try await ChildProcess("openssl", ["verify", "-CAfile", file, "-check_ss_sig", file]).run()
        #expect(verified.0 == .exited(0), "\(verified.1)\(verified.2)")
    }

    @Test func `has a name of 64 bytes at most, in whole characters`() throws {
        let key = try RSAPrivateKey.generate()
        let long = try SelfSignedCertificate(of: key, name: String(repeating: "ä", count: 100))
        #expect(try SelfSignedCertificate(of: key, name: String(repeating: "ä", count: 32)) == long)
        #expect(try SelfSignedCertificate(of: key, name: "a" + String(repeating: "ä", count: 31)) != long)
    }
}
