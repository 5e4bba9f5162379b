import HTTPServer
import Replies
import Testing

@Suite("A router")
struct RouterTests {
    static let router: Router = {
        var router = Router()
        let echo: @Sendable (String) -> @Sendable (HTTPRequest) -> HTTPReply = { name in
            { _ in .now(.text(name)) }
        }
        router.on(.get, path: "/api/v1/checkauthn", name: "checkauthn.device", handler: echo("device"))
        router.on(.get, path: "/api/v1/checkauthn/{code}", name: "checkauthn.code") { request in
            .now(.text("code=" + request.segment("code")))
        }
        router.on(.get, path: "/api/v1/authenticate/freepreview", name: "freepreview", handler: echo("fixed"))
        router.on(.get, .post, path: "/api/v1/authenticate/{code}", name: "authenticate", handler: echo("variable"))
        router.on(.get, path: "/reggie/v1/{requestor}/regcode/{code}", name: "regcode.read") { request in
            .now(.text(request.segment("requestor") + "," + request.segment("code")))
        }
        router.on(.post, path: "/reggie/v1/{requestor}/regcode", name: "regcode.create", handler: echo("create"))
        router.on(.get, path: "/{any}/fixed/end", name: "late", handler: echo("late"))
        router.on(.get, path: "/", name: "root", handler: echo("root"))
        return router
    }()

    @Test(arguments: [
        ("/", "root"), ("/api/v1/checkauthn", "device"),
        ("/api/v1/checkauthn/K7M.json", "code=K7M.json"), ("/api/v1/checkauthn/a%2Fb%20c", "code=a/b c"),
        ("/api/v1/authenticate/freepreview", "fixed"),
        ("/api/v1/authenticate/freepre%76iew", "fixed"), ("/api/v1/checkauthn/", "device"),
        ("/api/v1/authenticate/freeprevieW", "variable"),
        ("/api/v1/authenticate/freeprevifX", "variable"),
        ("/reggie/v1/SPORT/regcode/K7M", "SPORT,K7M"),
        ("/api/%76%31/checkauthn", "device"), ("/api/fixed/end", "late"),
    ])
    func `finds the handler of a path`(target: String, body: String) throws {
        #expect(try Self.answer(.get, target).body == Array(body.utf8))
    }

    @Test(arguments: ["/api", "/api/v1/checkauthn/a/b", "/reggie/v1", "/nothing", "/*"])
    func `says 404 for every other path`(target: String) throws {
        #expect(try Self.answer(.get, target).status == .notFound)
    }

    @Test func `says 405 and what is allowed for every other method`() throws {
        let answer = try Self.answer(.post, "/api/v1/checkauthn")
        #expect(answer.status == .methodNotAllowed)
        #expect(answer.headers["Allow"] == "GET, HEAD, OPTIONS")
        #expect(try Self.answer(.delete, "/api/v1/authenticate/x").headers["Allow"] == "GET, POST, HEAD, OPTIONS")
        #expect(try Self.answer(.head, "/reggie/v1/S/regcode").headers["Allow"] == "POST, OPTIONS")
        #expect(try Self.answer(.other("PATCH"), "/").status == .methodNotAllowed)
        #expect(try Self.answer(.head, "/").status == .ok)
    }

    @Test func `looks for the path that its normaliser makes of the one that came`() throws {
        var router = Self.router
        router.normaliser = PathNormaliser { RequestPath($0.last == UInt8(ascii: "x") ? $0.dropLast() : $0) }
        guard
            case .now(let answer) = router.respond(
                to: HTTPRequest(method: .get, target: "/api/v1/checkauthnx", normaliser: router.normaliser))
        else { return #expect(Bool(false), "the answer is not there yet") }
        #expect(answer.body == Array("device".utf8))
    }

    @Test func `answers OPTIONS everywhere, before anything else`() throws {
        #expect(try Self.answer(.options, "/nowhere").status == .noContent)
        var router = Self.router
        router.preflight = { HTTPResponse(status: .noContent).setting("X", $0.headers["Origin"] ?? "") }
        let request = HTTPRequest(method: .options, target: "*", headers: ["Origin": "https://a"])
        guard case .now(let answer) = router.respond(to: request)
        else { return #expect(Bool(false), "not answered at once") }
        #expect(answer.headers["X"] == "https://a")
    }

    @Test func `lets a group answer first, and decorates that answer too`() throws {
        var router = Router()
        let group = RouteGroup(
            before: { $0.query["full"] == nil ? nil : .text("slow down", status: .tooManyRequests) },
            decorate: { context, response in
                response = response.setting("X-Id", context.id.description).setting("X-Origin", context.origin ?? "-")
                    .setting("X-Route", context.name ?? "-")
            })
        router.on(.get, path: "/a", name: "a", group: group) { _ in .now(.text("fine")) }
        let request = HTTPRequest(method: .get, target: "/a?full", headers: ["origin": "https://b"])
        guard case .now(let answer) = router.respond(to: request)
        else { return #expect(Bool(false), "not answered at once") }
        #expect(answer.status == .tooManyRequests)
        #expect(answer.headers["X-Id"] == request.id.description)
        #expect(answer.headers["X-Origin"] == "https://b")
        #expect(answer.headers["X-Route"] == "a")
        guard case .now(let other) = router.respond(to: HTTPRequest(method: .get, target: "/a"))
        else { return #expect(Bool(false), "not answered at once") }
        #expect(other.status == .ok)
    }

    private static func answer(_ method: HTTPMethod, _ target: String) throws -> HTTPResponse {
        let reply = self.router.respond(to: HTTPRequest(method: method, target: target))
        guard case .now(let answer) = reply else { throw CancellationError() }
        return answer
    }
}
