import TestSupport
import Testing

@testable import Cryptography

@Suite("Keys")
struct KeyTests {
    struct JWSVector: Decodable { let source, algorithm, publicKey, token: String }

    static let message = Array("a message".utf8)

    @Test func `verify the examples of RFC 7515`() throws {
        let vectors = try Vectors.load("jws", as: [JWSVector].self)
        #expect(vectors.map(\.algorithm) == ["RS256", "ES256"])
        for vector in vectors {
            let parts = vector.token.split(separator: ".")
            let signed = Array("\(parts[0]).\(parts[1])".utf8)
            var signature = try #require(Base64.decodeURL(parts[2]))
            let isValid: ([UInt8]) throws -> Bool = {
                vector.algorithm == "RS256"
                    ? try RSAPublicKey(pem: vector.publicKey).isValidSignature($0, for: signed)
                    : try ECPublicKey(pem: vector.publicKey).isValidJOSESignature($0, for: signed)
            }
            #expect(try isValid(signature), "\(vector.source)")
            signature[signature.count - 1] ^= 1
            #expect(try !isValid(signature), "\(vector.source)")
        }
    }

    @Test func `for Ed25519 verify an example of RFC 8032`() throws {
        let point = try #require(Hex.decode("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"))
        var signature = try #require(
            Hex.decode(
                "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
                    + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"))
        let key = try VerificationKey(ed25519: point)
        #expect(key.isValidSignature(signature, for: [0x72]))
        #expect(!key.isValidSignature(signature, for: [0x73]))
        #expect(!key.isValidSignature(signature.dropLast(), for: [0x72]))
        #expect(!key.isValidSignature([], for: [0x72]))
        signature[0] ^= 1
        #expect(!key.isValidSignature(signature, for: [0x72]))
        #expect(throws: CryptographyError.self) { try VerificationKey(ed25519: point.dropLast()) }
    }

    @Test func `sign many messages at once`() async throws {
        let key = try ECPrivateKey.generate()
        try await concurrently(16) { number in
            let message = [UInt8(number)]
            let signature = try key.signature(for: message)
            #expect(key.publicKey.isValidSignature(signature, for: message))
        }
    }

    @Test func `are made of their numbers, and of no others`() throws {
        let key = try ECPrivateKey.generate()
        let lines = try key.verificationKey.pem().split(separator: "\n").filter { !$0.hasPrefix("-----") }
        // The end of a SubjectPublicKeyInfo are both coordinates.
        let point = try #require(Base64.decode(lines.joined())).suffix(64)
        let (x, y) = (Array(point.prefix(32)), Array(point.suffix(32)))
        let signature = try key.signature(for: Self.message)
        #expect(try ECPublicKey(x: x, y: y).isValidSignature(signature, for: Self.message))
        #expect(throws: CryptographyError.self) { try ECPublicKey(x: x, y: Array(repeating: 0, count: 32)) }
        #expect(throws: CryptographyError.self) { try ECPublicKey(x: Array(x.dropLast()), y: y) }

        // The end of this one are the modulus, and 65537 in an INTEGER.
        let rsa = try RSAPrivateKey.generate()
        let rsaLines = try rsa.verificationKey.pem().split(separator: "\n").filter { !$0.hasPrefix("-----") }
        let modulus = Array(try #require(Base64.decode(rsaLines.joined())).dropLast(5).suffix(256))
        let rsaSignature = try rsa.signature(for: Self.message)
        let copy = try RSAPublicKey(modulus: modulus, exponent: [1, 0, 1])
        #expect(copy.isValidSignature(rsaSignature, for: Self.message))
        let numbers = try rsa.publicKey.numbers()
        #expect(numbers.modulus == modulus && numbers.exponent == [1, 0, 1])
        #expect(throws: CryptographyError.self) { try RSAPublicKey(modulus: modulus.suffix(128), exponent: [1, 0, 1]) }
        // Too slow to check with, and too small or even: with 1 anyone signs.
        for exponent: [UInt8] in [[1, 0, 0, 0, 1], [1], [0, 1], [0], [2], [1, 0, 0]] {
            #expect(throws: CryptographyError.self) { try RSAPublicKey(modulus: modulus, exponent: exponent) }
        }
    }

    @Test func `of RSA come back from PEM, sign alike, and verify nothing else`() throws {
        let key = try RSAPrivateKey.generate()
        let pem = try key.pem()
        #expect(pem.withBytes { String(decoding: $0, as: UTF8.self) }.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        let copy = try RSAPrivateKey(pem: pem)
        let signature = try key.signature(for: Self.message)
        #expect(signature.count == 256)
        #expect(try copy.signature(for: Self.message) == signature)

        let publicKey = try RSAPublicKey(pem: key.verificationKey.pem())
        #expect(publicKey.isValidSignature(signature, for: Self.message))
        #expect(!publicKey.isValidSignature(signature, for: Self.message + [0]))
        #expect(!publicKey.isValidSignature(signature.dropLast(), for: Self.message))
        #expect(!publicKey.isValidSignature(signature + [0], for: Self.message))
        #expect(!publicKey.isValidSignature([], for: Self.message))
        #expect(!(try RSAPrivateKey.generate()).publicKey.isValidSignature(signature, for: Self.message))
        #expect(try key.verificationKey.pem().hasPrefix("-----BEGIN PUBLIC KEY-----\n"))
    }

    @Test func `on P-256 come back from PEM, and sign in the form of documents and in that of JOSE`() throws {
        let key = try ECPrivateKey.generate()
        let copy = try ECPrivateKey(pem: key.pem())
        let publicKey = try ECPublicKey(pem: key.verificationKey.pem())
        // r and s begin with a zero byte once in 128 signatures, and are longer than 31 bytes nearly always.
        for _ in 0..<400 {
            let der = try key.signature(for: Self.message)
            let raw = try copy.joseSignature(for: Self.message)
            #expect(raw.count == 64)
            #expect(publicKey.isValidSignature(der, for: Self.message))
            #expect(publicKey.isValidJOSESignature(raw, for: Self.message))
            #expect(!publicKey.isValidJOSESignature(der, for: Self.message))
            #expect(!publicKey.isValidSignature(raw, for: Self.message))
        }
        let raw = try key.joseSignature(for: Self.message)
        #expect(!publicKey.isValidJOSESignature(raw, for: [1]))
        #expect(!publicKey.isValidJOSESignature(raw + [0], for: Self.message))
        #expect(!publicKey.isValidJOSESignature([UInt8](repeating: 0, count: 64), for: Self.message))
        #expect(!publicKey.isValidJOSESignature([UInt8](repeating: 0xFF, count: 64), for: Self.message))
        #expect(!(try ECPrivateKey.generate()).publicKey.isValidJOSESignature(raw, for: Self.message))
    }

    @Test func `are told apart by their text`() throws {
        let (rsa, ec) = (try RSAPrivateKey.generate(), try ECPrivateKey.generate())
        let keys = try VerificationKey.keys(
            inBundle: "a comment\n" + rsa.verificationKey.pem() + "\n" + ec.verificationKey.pem())
        try #require(keys.count == 2)
        #expect(keys[0].isValidSignature(try rsa.signature(for: Self.message), for: Self.message))
        #expect(keys[1].isValidSignature(try ec.signature(for: Self.message), for: Self.message))
        #expect(!keys[0].isValidSignature(try ec.signature(for: Self.message), for: Self.message))
        #expect(try keys[0].pem() == rsa.verificationKey.pem())
        #expect(throws: CryptographyError.self) { try RSAPublicKey(pem: ec.verificationKey.pem()) }
        #expect(throws: CryptographyError.self) { try ECPublicKey(pem: rsa.verificationKey.pem()) }
        #expect(throws: CryptographyError.self) { try RSAPrivateKey(pem: ec.pem()) }
        #expect(throws: CryptographyError.self) { try ECPrivateKey(pem: rsa.pem()) }
    }

    @Test func `are not read from other texts, whose errors leave nothing behind for later calls`() throws {
        let key = try ECPrivateKey.generate()
        let pem = try key.verificationKey.pem()
        let texts = [
            "", "no key", "-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----\n", String(pem.dropLast(40)),
            pem.replacing("PUBLIC", with: "PRIVATE"), String(repeating: "A", count: 70_000),
            "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
        ]
        for text in texts {
            let errors = [
                #expect(throws: CryptographyError.self) { try VerificationKey(pem: text) },
                #expect(throws: CryptographyError.self) { try VerificationKey.keys(inBundle: text) },
                #expect(throws: CryptographyError.self) { try RSAPrivateKey(pem: Secret(text)) },
            ]
            for error in errors { #expect(error?.code == .unusableKey) }
        }
        #expect(throws: CryptographyError.self) {
            try VerificationKey(pem: key.pem().withBytes { String(decoding: $0, as: UTF8.self) })
        }
        let bundle = String(repeating: pem, count: VerificationKey.maximumBundleCount)
        #expect(try VerificationKey.keys(inBundle: bundle).count == VerificationKey.maximumBundleCount)
        for text in [bundle + pem, "\(pem)\(pem.dropLast(30))", "\(pem.dropLast(30))\n\(pem)"] {
            #expect(throws: CryptographyError.self) { try VerificationKey.keys(inBundle: text) }
        }
        // An error of libcrypto that was left on the queue would now be blamed on this one.
        let error = #expect(throws: CryptographyError.self) { try KeyedHash(key: Secret("")) }
        #expect(error?.libraryCode == 0)
        #expect(try key.publicKey.isValidSignature(key.signature(for: Self.message), for: Self.message))
    }

    @Test func `do not show in text`() throws {
        let key = try ECPrivateKey.generate()
        var dumped = ""
        dump(key, to: &dumped)
        #expect("\(key)" == "<EC private key>")
        #expect(!dumped.contains("handle"))
    }

    @Test func `sign and verify from several threads at once`() async throws {
        let (rsa, ec) = (try RSAPrivateKey.generate(), try ECPrivateKey.generate())
        try await concurrently(8) { worker in
            for round in 0..<20 {
                let message = [UInt8(worker), UInt8(round)]
                let (first, second) = (try rsa.signature(for: message), try ec.signature(for: message))
                #expect(rsa.publicKey.isValidSignature(first, for: message))
                #expect(ec.publicKey.isValidSignature(second, for: message))
            }
        }
    }

    @Test func `tell the operator what libcrypto said, and nobody else`() throws {
        let error = try #require(throws: CryptographyError.self) { try RSAPrivateKey(pem: Secret("no key")) }
        #expect(error.libraryCode != 0)
        #expect("\(error)" == "unusableKey")
        #expect(error.debugDescription.contains("OpenSSL error"))
        #expect(!error.debugDescription.contains("no key\""))
    }
}

extension ECPublicKey {
    fileprivate func isValidSignature(_ signature: some Collection<UInt8>, for message: some Collection<UInt8>) -> Bool
    {
        VerificationKey(self).isValidSignature(signature, for: message)
    }

    fileprivate init(pem: String) throws(CryptographyError) { try self.init(KeyHandle(publicPEM: pem.utf8)) }
}
