import HTTPServer
import Testing

@testable import ServerAPI

@Suite("The path of a call")
struct ServicePathsTests {
    private static let normaliser = ServicePaths.normaliser(suffixesBelow: APIDescription.firstSegments)

    @Test(
        "has no repeated slash, none at its end, and the form it asks for apart",
        arguments: [
            ("/api/v1/authorize", "/api/v1/authorize", nil),
            ("//api/v1/authorize", "/api/v1/authorize", nil),
            ("/api///v1//authorize/", "/api/v1/authorize", nil),
            ("/api/v1/tokens/media.json", "/api/v1/tokens/media", "json"),
            ("/api/v1/tokens/media.xml", "/api/v1/tokens/media", "xml"),
            ("/reggie/v1/SPORT/regcode/K7M2QXA.json/", "/reggie/v1/SPORT/regcode/K7M2QXA", "json"),
            ("//adobe-services//config/SPORT.xml", "/adobe-services/config/SPORT", "xml"),
            ("/api/a.json/b", "/api/a.json/b", nil),
            ("/api/a.json.xml", "/api/a.json", "xml"),
            ("/api/a.JSON", "/api/a.JSON", nil),
            ("/api/.json", "/api/.json", nil),
            ("/.json", "/.json", nil),
            ("/api/a/.xml", "/api/a/.xml", nil),
            ("/", "/", nil),
            ("//", "/", nil),
            ("/a%2Fb//c", "/a%2Fb/c", nil),
            ("http://example.com/api//v1.json?a=1", "/api/v1", "json"),
            ("", "/", nil),
        ] as [(String, String, String?)])
    func path(target: String, path: String, suffix: String?) {
        let request = HTTPRequest(method: .get, target: target, normaliser: Self.normaliser)
        #expect(request.path == path)
        #expect(request.suffix == suffix)
    }

    @Test("keeps its end where a file or a page is meant", arguments: ["/assets/app.json", "/activate.xml", "/x.json"])
    func files(target: String) {
        let request = HTTPRequest(method: .get, target: target, normaliser: Self.normaliser)
        #expect(request.path == target)
        #expect(request.suffix == nil)
    }
}
