import HTTPServer
import Testing

@Suite("A request")
struct RequestTests {
    @Test(arguments: [
        ("/api/v1/authorize", "/api/v1/authorize"), ("//api///v1/", "//api///v1/"),
        ("/assets/app.json?a=1", "/assets/app.json"), ("/a%2Fb", "/a%2Fb"), ("/", "/"),
        ("http://example.com/api//v1.json?a=1", "/api//v1.json"), ("HTTPS://example.com", "/"), ("*", "/*"),
        ("", "/"),
    ])
    func `has its path as it came, without the host`(target: String, path: String) {
        let request = HTTPRequest(method: .get, target: target)
        #expect(request.path == path)
        #expect(request.suffix == nil)
        #expect(request.target == target)
    }

    @Test func `has its path as a normaliser reads it`() {
        let normaliser = PathNormaliser { path in
            path.last == UInt8(ascii: "!") ? RequestPath(path.dropLast(), suffix: "!") : RequestPath(path)
        }
        let loud = HTTPRequest(method: .get, target: "http://a/b!?c!", normaliser: normaliser)
        #expect(loud.path == "/b")
        #expect(loud.suffix == "!")
        let quiet = HTTPRequest(method: .get, target: "/b?c!", normaliser: normaliser)
        #expect(quiet.path == "/b")
        #expect(quiet.suffix == nil)
    }

    @Test func `keeps its query as it came`() {
        #expect(HTTPRequest(method: .get, target: "/a?b=%20?c").rawQuery == "b=%20?c")
        #expect(HTTPRequest(method: .get, target: "/a?").rawQuery == "")
        #expect(HTTPRequest(method: .get, target: "/a").rawQuery == "")
    }

    @Test func `prefers a parameter of the body to one of the query`() {
        let request = Self.post("/a?deviceId=query&only=q", "deviceId=body", type: "application/x-www-form-urlencoded")
        #expect(request.parameters["deviceId"] == "body")
        #expect(request.parameters["only"] == "q")
        #expect(request.query["deviceId"] == "query")
        #expect(request.form["deviceId"] == "body")
        #expect(request.parameters.hasRepeatedName)
    }

    @Test(arguments: [
        ("{}", "application/x-www-form-urlencoded"), ("", "application/x-www-form-urlencoded"),
        ("nothing", "application/x-www-form-urlencoded"), ("a=1", "application/json"), ("a=1", "text/plain"),
    ])
    func `has no form when the body is none`(body: String, type: String) {
        #expect(Self.post("/", body, type: type).form.pairs.isEmpty)
        #expect(Self.post("/?a=2", body, type: type).parameters["a"] == "2")
    }

    @Test(arguments: ["application/x-www-form-urlencoded; charset=UTF-8", "Application/X-WWW-Form-Urlencoded", nil])
    func `has a form whatever the content type's case and parameters, and without one`(type: String?) {
        #expect(Self.post("/", "a=1", type: type).form["a"] == "1")
    }

    @Test func `finds its cookies`() {
        let request = HTTPRequest(
            method: .get, target: "/",
            headers: HTTPHeaders([("Cookie", "a=1; login=\"x=y\";c="), ("cookie", "d=4"), ("Cookie", "a=2")]))
        #expect(request.cookie("a") == "1")
        #expect(request.cookie("login") == "x=y")
        #expect(request.cookie("c") == "")
        #expect(request.cookie("d") == "4")
        #expect(request.cookie("A") == nil)
    }

    @Test func `has an identifier in the form of a UUID that no other request has`() throws {
        let texts = (0..<10_000).map { _ in RequestID.next().description }
        #expect(Set(texts).count == texts.count)
        for text in texts.prefix(50) {
            #expect(text.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
        }
    }

    static func post(_ target: String, _ body: String, type: String?) -> HTTPRequest {
        var headers = HTTPHeaders()
        if let type { headers.add("content-type", type) }
        return HTTPRequest(method: .post, target: target, headers: headers, body: Array(body.utf8))
    }
}
