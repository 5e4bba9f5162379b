import Cryptography
import Testing

@Suite("A box that names its key")
struct SealingKeysTests {
    private let first = SecureRandom.secret(32)
    private let second = SecureRandom.secret(32)
    private let secret = Secret("refresh token")

    private func keys(_ secrets: Secret...) throws -> SealingKeys {
        SealingKeys(try secrets.map { (secret) throws(CryptographyError) in try SealingKeys.Key(secret) })
    }

    private func opened(_ secret: Secret) -> String { secret.withBytes { String(decoding: $0, as: UTF8.self) } }

    @Test func `opens with every key that is there, and is sealed by the first`() throws {
        let old = try self.keys(self.first)
        let box = try old.seal(self.secret, authenticating: "a".utf8)
        #expect(box.count == self.secret.count + SealingKeys.overhead)
        let both = try self.keys(self.second, self.first)
        #expect(self.opened(try both.open(box, authenticating: "a".utf8)) == "refresh token")
        #expect(old.isCurrent(box) && !both.isCurrent(box))
        let anew = try both.seal(self.secret, authenticating: "a".utf8)
        #expect(both.isCurrent(anew))
        #expect(throws: CryptographyError.self) { try old.open(anew, authenticating: "a".utf8) }
        old.replace(with: [try SealingKeys.Key(self.second), try SealingKeys.Key(self.first)])
        #expect(self.opened(try old.open(anew, authenticating: "a".utf8)) == "refresh token")
        let rid = try self.keys(self.second)
        #expect(throws: CryptographyError.self) { try rid.open(box, authenticating: "a".utf8) }
    }

    @Test func `opens for its own purpose and owner only, unchanged only, and never under another key's ID`() throws {
        let keys = try self.keys(self.first, self.second)
        let box = try keys.seal(self.secret, authenticating: "a".utf8)
        var attempts: [([UInt8], String)] = [(box, "b"), (box, ""), ([], "a"), (box + [0], "a")]
        attempts += box.indices.map { index in
            var changed = box
            changed[index] ^= 1
            return (changed, "a")
        }
        attempts += (0..<box.count).map { (Array(box.prefix($0)), "a") }
        var renamed = box
        renamed.replaceSubrange(1..<5, with: try SealingKeys.Key(self.second).id)
        attempts.append((renamed, "a"))
        for (box, associated) in attempts {
            let error = #expect(throws: CryptographyError.self) {
                try keys.open(box, authenticating: associated.utf8)
            }
            #expect(error?.code == .notAuthentic)
        }
    }

    @Test func `that names no key does not open, though a key of these sealed it`() throws {
        let box = try AEAD(key: self.first).seal(self.secret, authenticating: "session".utf8)
        let keys = try self.keys(self.first)
        #expect(throws: CryptographyError.self) { try keys.open(box, authenticating: "session".utf8) }
        #expect(!keys.isCurrent(box))
    }
}

@Suite("A key from a passphrase")
struct PassphraseKeyTests {
    @Test func `is found again with the same passphrase, salt and cost, and with no other`() throws {
        let cost: UInt8 = 14
        let salt = SecureRandom.bytes(PassphraseKey.saltSize)
        let box = try PassphraseKey(Secret("correct horse"), salt: salt, cost: cost).cipher
            .seal(Secret("kept"), authenticating: [])
        let again = try PassphraseKey(Secret("correct horse"), salt: salt, cost: cost).cipher
        #expect(try again.open(box, authenticating: []).withBytes { $0 } == Array("kept".utf8))
        let others = [
            try PassphraseKey(Secret("correct horsf"), salt: salt, cost: cost),
            try PassphraseKey(Secret("correct horse"), salt: [UInt8](repeating: 0, count: 16), cost: cost),
            try PassphraseKey(Secret("correct horse"), salt: salt, cost: 15),
        ]
        for other in others {
            #expect(throws: CryptographyError.self) { try other.cipher.open(box, authenticating: []) }
        }
    }

    @Test(arguments: [0, 13, 21, 62, 64, 255] as [UInt8])
    func `takes no cost from a file that protects nothing, or that no machine pays`(_ cost: UInt8) {
        let error = #expect(throws: CryptographyError.self) { try PassphraseKey(Secret("a"), salt: [], cost: cost) }
        #expect(error?.code == .unusableKey)
    }
}

@Suite("A running digest")
struct RunningDigestTests {
    @Test func `is the digest of all pieces together`() {
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 * 7) }
        var digest = RunningDigest()
        for start in stride(from: 0, to: 1000, by: 77) { digest.add(Array(bytes[start..<min(start + 77, 1000)])) }
        #expect(digest.finish() == Digest.sha256(bytes))
        #expect(RunningDigest().finish() == Digest.sha256([]))
    }
}
