import Clientless
import Testing

@Suite("Text from outside")
struct BoundedTextTests {
    @Test(arguments: [
        ("abc", 5, "abc"), ("abc", 3, "abc"), ("abc", 2, "ab"), ("abc", 0, ""), ("é", 1, ""), ("aé", 2, "a"),
        ("👩‍👩‍👧", 10, ""), ("a👩‍👩‍👧", 12, "a"), ("a\u{301}\u{301}\u{301}", 4, ""), ("", 3, ""),
    ])
    func `is cut to bytes, never within a character`(text: String, count: Int, expected: String) {
        #expect(text.prefix(bytes: count) == expected)
    }

    @Test func `is a resource only where every document can carry it and its channel can be read`() throws {
        #expect(try Resource(fromWire: " One ") == Resource("One"))
        for text in ["", "  ", "a\u{FFFD}", "a\u{1}", String(repeating: "a", count: 8193)] {
            #expect(throws: Resource.WireFault.unusable) { try Resource(fromWire: text) }
        }
        #expect(throws: Resource.WireFault.malformedDocument) { try Resource(fromWire: "<rss><channel></rss>") }
    }

    @Test func `is a device ID only where it was UTF-8`() {
        #expect(DeviceID(fromWire: "box") == DeviceID("box"))
        #expect(DeviceID(fromWire: "b\u{FFFD}x") == nil)
        #expect(DeviceID(fromWire: "") == nil)
    }
}
