import Cryptography
import FoundationEssentials
import Testing

@Suite("Base 64")
struct Base64Tests {
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func `agrees with RFC 4648 section 10`(_ text: String, _ base64: String) {
        #expect(Base64.encode(text.utf8) == base64)
        #expect(Base64.decode(base64) == Array(text.utf8))
        let unpadded = String(base64.prefix { $0 != "=" })
        #expect(Base64.encodeURL(text.utf8) == unpadded)
        #expect(Base64.decodeURL(unpadded) == Array(text.utf8))
        #expect(Base64.decodeTolerantly(unpadded) == Array(text.utf8))
    }

    @Test func `agrees with Foundation on random bytes of every length up to 200`() {
        for count in 0...200 {
            let bytes = SecureRandom.bytes(count)
            let text = Data(bytes).base64EncodedString()
            #expect(Base64.encode(bytes) == text)
            #expect(Base64.decode(text) == bytes)
            #expect(Base64.decodeURL(Base64.encodeURL(bytes)) == bytes)
            #expect(Base64.decodeTolerantly(Base64.encodeURL(bytes)) == bytes)
        }
    }

    @Test func `has its own symbols in URLs`() {
        let bytes: [UInt8] = [0xFB, 0xEF, 0xFF]
        #expect(Base64.encode(bytes) == "++//")
        #expect(Base64.encodeURL(bytes) == "--__")
        #expect(Base64.decode("--__") == nil)
        #expect(Base64.decodeURL("++//") == nil)
        #expect(Base64.decodeTolerantly("+-/_") == bytes)
    }

    @Test(arguments: [
        "Zg", "Zg=", "Zg===", "Z===", "====", "=", "Zm9v=", "Zh==", "Zm9=", " Zg==", "Zg==\n", "Zg==Zg==",
        "Zm8\u{0}",
        "Zm9v\u{e9}A=", "Zm9*",
    ])
    func `is refused by the strict reader when written in any other way`(_ text: String) {
        #expect(Base64.decode(text) == nil)
    }

    @Test(arguments: ["Zg==", "Z", "Zh", "Zm9", "Zm9v Zg", "Zg\n"])
    func `without padding is refused by the strict reader of URLs when written in any other way`(_ text: String) {
        #expect(Base64.decodeURL(text) == nil)
    }

    @Test func `is read tolerantly with white space, either alphabet, and any or no padding`() {
        #expect(Base64.decodeTolerantly(" Zm9v\r\n\tYg = = ") == Array("foob".utf8))
        #expect(Base64.decodeTolerantly("Zh") == [0x66])
        for text in ["Z", "Zg===", "Z=g=", "Zm9v*", "Zg==Zg=="] { #expect(Base64.decodeTolerantly(text) == nil) }
    }
}

@Suite("Hexadecimal digits")
struct HexTests {
    @Test func `are written small and read in either case`() {
        #expect(Hex.encode([0x00, 0x7F, 0xAB, 0xFF]) == "007fabff")
        #expect(Hex.decode("007fABff") == [0x00, 0x7F, 0xAB, 0xFF])
        #expect(Hex.decode("") == [])
        #expect(Hex.encode([]) == "")
    }

    @Test("are refused in odd number, and when they are none", arguments: ["0", "0g", "abc", " 00", "0x00", "é0"])
    func refusal(_ text: String) { #expect(Hex.decode(text) == nil) }
}
