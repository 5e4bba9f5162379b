import HTTPServer
import Testing

@Suite("Headers")
struct HeaderTests {
    @Test func `are found in any case, in order`() {
        let headers = HTTPHeaders([("Accept", "a"), ("X-Device-Info", "b"), ("accept", "c")])
        #expect(headers["ACCEPT"] == "a")
        #expect(headers.all("Accept") == ["a", "c"])
        #expect(headers["x-device-info"] == "b")
        #expect(headers["X-Device"] == nil)
        #expect(headers.contains("aCCept"))
        #expect(headers.has("accept", "a") && !headers.has("Accept", "A") && !headers.has("Accept", "c"))
    }

    @Test func `can be replaced and removed`() {
        var headers: HTTPHeaders = ["A": "1", "B": "2", "a": "3"]
        headers.set("a", "4")
        #expect(headers.fields.map(\.name) == ["B", "a"])
        headers.remove("b")
        #expect(headers.fields.map(\.value) == ["4"])
    }

    @Test("hold no control character", arguments: ["a\r\nX: y", "a\nX: y", "a\u{0}b", "a\u{7F}\tb", "\r\n\r\nbody"])
    func injection(value: String) {
        let headers: HTTPHeaders = ["Location": value]
        #expect(headers.fields.count == 1)
        let text = headers["Location"] ?? "\n"
        #expect(text.utf8.count == value.utf8.count)
        #expect(text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F })
    }

    @Test(arguments: ["", "a b", "a:b", "a\r\n", "é", "Authorizatio:"])
    func `take no name that is not a token`(name: String) {
        var headers = HTTPHeaders()
        headers.add(name, "x")
        #expect(headers.fields.isEmpty)
    }
}
