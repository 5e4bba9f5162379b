import Cryptography
import TestSupport
import Testing

@Suite("A sealed box")
struct AEADTests {
    struct Vector: Decodable { let source, key, nonce, plain, associated, cipher, tag: String }

    @Test func `is that of the published cases of AES-256-GCM`() throws {
        let vectors = try Vectors.load("aes-256-gcm", as: [Vector].self)
        #expect(vectors.count == 3)
        for vector in vectors {
            let aead = try AEAD(key: Secret(try #require(Hex.decode(vector.key))))
            let box = try #require(Hex.decode(vector.nonce + vector.cipher + vector.tag))
            let plain = try aead.open(box, authenticating: try #require(Hex.decode(vector.associated)))
            #expect(plain.withBytes { Hex.encode($0) } == vector.plain, "\(vector.source)")
        }
    }

    @Test("opens with its key and purpose, for contents of any length", arguments: [0, 1, 15, 16, 17, 5000])
    func roundTrip(_ count: Int) throws {
        let aead = try AEAD(key: SecureRandom.secret(32))
        let secret = SecureRandom.secret(count)
        let box = try aead.seal(secret, authenticating: "session:1".utf8)
        #expect(box.count == count + AEAD.overhead)
        #expect(try aead.open(box, authenticating: "session:1".utf8).withBytes { $0 } == secret.withBytes { $0 })
        #expect(try aead.seal(secret, authenticating: "session:1".utf8) != box, "every nonce is new")
    }

    @Test func `does not open when a byte is changed or missing, under another key, or for another purpose`() throws {
        let aead = try AEAD(key: SecureRandom.secret(32))
        let box = try aead.seal(Secret("refresh token"), authenticating: "session:1".utf8)
        var attempts: [(AEAD, [UInt8], String)] = [
            (aead, box, "session:2"), (aead, box, ""), (try AEAD(key: SecureRandom.secret(32)), box, "session:1"),
            (aead, [], "session:1"), (aead, box + [0], "session:1"),
        ]
        attempts += box.indices.map { index in
            var changed = box
            changed[index] ^= 1
            return (aead, changed, "session:1")
        }
        attempts += (0..<box.count).map { (aead, Array(box.prefix($0)), "session:1") }
        for (aead, box, purpose) in attempts {
            let error = #expect(throws: CryptographyError.self) { try aead.open(box, authenticating: purpose.utf8) }
            #expect(error?.code == .notAuthentic)
        }
    }

    @Test(arguments: [0, 16, 31, 33]) func `needs a key of 32 bytes`(_ count: Int) {
        let error = #expect(throws: CryptographyError.self) { try AEAD(key: SecureRandom.secret(count)) }
        #expect(error?.code == .unusableKey)
    }
}
