import TestSupport
import Testing

@testable import Cryptography

@Suite("Digests and keyed hashes")
struct DigestTests {
    struct DigestVector: Decodable { let source, hash, text, digest: String }
    struct HMACVector: Decodable {
        let source: String
        let `case`: Int
        let hash, key, message, code: String
    }

    @Test func `agree with the published digests`() throws {
        let vectors = try Vectors.load("digests", as: [DigestVector].self)
        #expect(vectors.count == 6)
        for vector in vectors {
            let digest = Digest.digest(of: vector.text.utf8, vector.hash == "sha1" ? .sha1 : .sha256)
            #expect(Hex.encode(digest) == vector.digest, "\(vector.source) \(vector.text)")
        }
    }

    @Test func `agree with RFC 2202 and RFC 4231, also from bytes that do not lie in one piece`() throws {
        let vectors = try Vectors.load("hmac", as: [HMACVector].self)
        #expect(vectors.count == 13)
        for vector in vectors {
            let key = HMACKey(
                Secret(try #require(Hex.decode(vector.key))), hash: vector.hash == "sha1" ? .sha1 : .sha256)
            let message = try #require(Hex.decode(vector.message))
            let code = try #require(Hex.decode(vector.code))
            let name: Comment = "\(vector.source) case \(vector.case)"
            #expect(key.authenticationCode(for: message) == code, name)
            #expect(key.authenticationCode(for: message.lazy.map { $0 }) == code, name)
            #expect(key.isValid(code, for: message), name)
        }
    }

    @Test func `refuse a code that differs in one bit, is cut, or is followed by something`() {
        let key = HMACKey(Secret("k7Qm2vTx9LbN4cRz"), hash: .sha1)
        let message = Array("message".utf8)
        let code = key.authenticationCode(for: message)
        #expect(key.isValid(code, for: message))
        for index in code.indices {
            for bit in 0..<8 {
                var other = code
                other[index] ^= 1 << UInt8(bit)
                #expect(!key.isValid(other, for: message))
            }
        }
        #expect(!key.isValid(Array(code.dropLast()), for: message))
        #expect(!key.isValid(code + [0], for: message))
        #expect(!key.isValid([], for: message))
        #expect(!key.isValid(code, for: Array("messagf".utf8)))
        #expect(!HMACKey(Secret("k7Qm2vTx9LbN4cRy"), hash: .sha1).isValid(code, for: message))
    }

    @Test func `give the same code again and again, from several threads at once`() async throws {
        let key = HMACKey(Secret("k7Qm2vTx9LbN4cRz"), hash: .sha256)
        let expected = key.authenticationCode(for: "message".utf8)
        let wrong = try await concurrently(8) { _ in
            (0..<2000).count { _ in key.authenticationCode(for: "message".utf8) != expected }
        }
        #expect(wrong.allSatisfy { $0 == 0 })
    }

    @Test func `take an empty key and an empty message`() {
        let code = HMACKey(Secret(""), hash: .sha256).authenticationCode(for: [])
        #expect(Hex.encode(code) == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
    }

    @Test func `hash for the store under a key of 32 bytes only, and differently under each key`() throws {
        let hash = try KeyedHash(key: SecureRandom.secret(32))
        #expect(hash.hash(of: "device").count == 32)
        #expect(hash.hash(of: "device") == hash.hash(of: Array("device".utf8)))
        #expect(hash.hash(of: "device") != (try KeyedHash(key: SecureRandom.secret(32))).hash(of: "device"))
        for count in [0, 31, 33] {
            let error = #expect(throws: CryptographyError.self) { try KeyedHash(key: SecureRandom.secret(count)) }
            #expect(error?.code == .unusableKey)
        }
    }
}

extension HMACKey {
    fileprivate func isValid(_ code: [UInt8], for message: [UInt8]) -> Bool {
        self.isValid(code.span, for: message.span)
    }
}
