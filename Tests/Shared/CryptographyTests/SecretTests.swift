import Cryptography
import Testing

@Suite("A secret")
struct SecretTests {
    @Test func `does not show in any textual form, nor does what holds it`() {
        let secret = Secret("hunter2")
        struct Holder { let secret: Secret }
        var dumped = ""
        dump(secret, to: &dumped)
        dump(Holder(secret: secret), to: &dumped)
        for text in [
            "\(secret)", String(reflecting: secret), "\(Holder(secret: secret))",
            String(reflecting: Holder(secret: secret)), "\([secret])", dumped,
        ] {
            #expect(text.contains("<redacted>"))
            #expect(!text.contains("hunter2"))
            #expect(!text.contains("104"), "the code of its first letter")
        }
        #expect("\(HMACKey(secret, hash: .sha1))" == "<redacted>")
    }

    @Test("lends its bytes, from a text as from bytes")
    func bytes() {
        #expect(Secret("hunter2").withBytes { $0 } == Array("hunter2".utf8))
        #expect(Secret([1, 2, 3]).withBytes { $0 } == [1, 2, 3])
        #expect(Secret("").withBytes { $0 }.isEmpty)
        #expect(Secret("hunter2").count == 7)
    }

    @Test func `passes on what the borrower throws`() {
        struct Refusal: Error {}
        #expect(throws: Refusal.self) {
            try Secret("hunter2").withBytes { _ throws(Refusal) -> Void in throw Refusal() }
        }
    }

    @Test func `is compared in constant time, over all of its bytes`() {
        #expect(constantTimeEqual([1, 2, 3], [1, 2, 3]))
        #expect(constantTimeEqual([UInt8](), []))
        #expect(!constantTimeEqual([1, 2, 3], [1, 2, 4]))
        #expect(!constantTimeEqual([0, 2, 3], [1, 2, 3]))
        #expect(!constantTimeEqual([1, 2, 3], [1, 2]))
        #expect(constantTimeEqual("abc".utf8, Array("abc".utf8)))
    }
}

@Suite("Random bytes")
struct RandomTests {
    @Test("come in the number asked for, and not twice the same")
    func bytes() {
        for count in [0, 1, 16, 1000] { #expect(SecureRandom.bytes(count).count == count) }
        #expect(SecureRandom.bytes(32) != SecureRandom.bytes(32))
        // Also where a stock of them ends.
        #expect(Set((0..<2000).map { SecureRandom.bytes(16 + $0 % 60).prefix(16) }).count == 2000)
        #expect(SecureRandom.secret(32).count == 32)
    }

    @Test func `drive the standard library's generator protocol`() {
        var generator = SecureRandomGenerator()
        let numbers = Set((0..<1000).map { _ in generator.next() })
        #expect(numbers.count == 1000)
        // Each bit is sometimes set and sometimes not; a wrong answer has a chance of 2^-900.
        #expect(numbers.reduce(0, |) == .max)
        #expect(numbers.reduce(.max, &) == 0)
    }
}
