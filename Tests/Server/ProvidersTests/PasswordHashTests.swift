import Cryptography
import Providers
import Testing

@Suite("A password hash")
struct PasswordHashTests {
    /// Made by crypt(3) of another program; each holds on every machine.
    static let vectors = [
        (
            "correct horse battery staple",
            "$y$j9T$F5Jx5fExrKuPp53xLKQ..1$y8e1eitiNDaQsFFW6d.9KbSTlk5zV3R3coZQtfcNAO5"
        ),
        ("pässwörd", "$y$j9T$F5Jx5fExrKuPp53xLKQ..1$UAi3w.V1khOnmiQzfq00d7LaG6KfSe9MVbNef5kSs64"),
        (
            String(repeating: "x", count: 128),
            "$y$j9T$F5Jx5fExrKuPp53xLKQ..1$6Xu.STHAJ6/FrTd.LWg77GRzUye3vQ6/zL2xXPnfT58"
        ),
        // Of another cost.
        ("a", "$y$j1T$F5Jx5fExrKuPp53xLKQ..1$HMg4q0u/gWgGXk3kHyQxNjPc985MdChRA1sq0K5tptB"),
    ]

    @Test("made elsewhere verifies its password and no other", arguments: vectors)
    func vector(password: String, text: String) throws {
        let hash = try #require(PasswordHash(text))
        #expect(try hash.verify(Secret(password)))
        #expect(try hash.verify(Secret(password + "x")) == false)
        #expect(try hash.verify(Secret(String(password.dropLast()))) == false)
    }

    @Test func `that was spoilt verifies nothing`() throws {
        let (password, text) = Self.vectors[0]
        let hash = try #require(PasswordHash(String(text.dropLast()) + "4"))
        #expect(try hash.verify(Secret(password)) == false)
        let broken = try #require(PasswordHash("$y$"))
        #expect(throws: PasswordError.self) { _ = try broken.verify(Secret(password)) }
    }

    @Test func `is the same for the same password and salt, and another for every new salt`() throws {
        let password = Secret("correct horse battery staple")
        let salt = [UInt8](0..<16)
        let hash = try PasswordHash.make(password, salt: salt)
        #expect(try PasswordHash.make(password, salt: salt) == hash)
        let other = try PasswordHash.make(password)
        #expect(other != hash)
        #expect(try PasswordHash.make(password) != other)
        for hash in [hash, other] {
            #expect(hash.text.hasPrefix("$y$j9T$"))
            #expect(try hash.verify(password))
        }
    }

    @Test func `is made of 1 to 128 bytes of UTF-8 without a zero byte`() throws {
        for bytes in [[], Array(repeating: 0x78, count: 129), [0x61, 0, 0x62], [0xFF, 0xFE], [0xC3]] as [[UInt8]] {
            let password = Secret(bytes)
            #expect { _ = try PasswordHash.make(password) } throws: { ($0 as? PasswordError)?.code == .unfit }
            #expect(try PasswordHash(Self.vectors[0].1)?.verify(password) == false)
        }
        #expect(try PasswordHash.make(Secret("é")).verify(Secret("é")))
    }

    @Test func `is yescrypt and nothing else`() {
        for text in ["", "$6$salt$hash", "y$j9T$a$b", "$y$ $", "$y$\u{E9}", "$y$" + String(repeating: "a", count: 400)]
        {
            #expect(PasswordHash(text) == nil)
        }
    }

    @Test func `shows nothing of itself in text`() throws {
        let hash = try #require(PasswordHash(Self.vectors[0].1))
        #expect("\(hash)" == "<password hash>")
        #expect(String(reflecting: hash) == "<password hash>")
    }
}
