import Clientless
import Testing

@testable import ServerAPI

@Suite("A list of resources")
struct ResourceListTests {
    @Test(arguments: [
        ("a", ["a"]), ("b,a", ["b", "a"]), (" North Sport HD , a\n", ["North Sport HD", "a"]),
        (",,a,,b,", ["a", "b"]), ("a,b,a, b ,c", ["a", "b", "c"]), ("A,a", ["A", "a"]),
        ("\"a\", b ,b,\\,\"a\"", ["\"a\"", "b", "\\"]),
        ("\u{E9},e\u{301},\u{E9}", ["\u{E9}", "e\u{301}"]),
    ])
    func `is trimmed, without empties and repetitions, in its order`(text: String, names: [String]) throws {
        #expect(try ResourceList(text, limit: 5).resources.map(\.text) == names)
    }

    @Test func `stops one past its limit, however long it is`() throws {
        let long = (0..<100_000).map(String.init).joined(separator: ",")
        #expect(try ResourceList(long, limit: 5).names.count == 6)
        #expect(try ResourceList("a,a,a,a,a,a,a,b", limit: 2).names.count == 2)
    }

    @Test(arguments: ["", ",", " , ,\t"]) func `is not there when nothing is in it`(text: String) {
        #expect(throws: WireError.missing("resource")) { try ResourceList(text, limit: 5) }
    }

    @Test func `takes no documents, nothing broken and nothing too long`() {
        #expect(throws: WireError.malformedResource) { try ResourceList("a,<rss/>", limit: 5) }
        #expect(throws: WireError.invalid("resource")) { try ResourceList("a,\u{FFFD}", limit: 5) }
        #expect(throws: WireError.invalid("resource")) {
            try ResourceList(String(repeating: "a", count: 8193), limit: 5)
        }
    }
}
