import HTTPClient
import ServerAPI
import TestSupport
import Testing
import WireAnswers

@Suite("What strangers send", .wire, .timeLimit(.minutes(5)))
struct BoundsTests {
    private static let pairs = (0..<257).map { "p\($0)=1" }.joined(separator: "&")

    @Test("has at most 256 fields, on every face and in its words")
    func pairs() async throws {
        let json: HTTPClient.Headers = ["Accept": "application/json"]
        for path in ["/api/v1/checkauthn/K7M2QXA", "/api/v1/checkauthn", "/api/v1/authenticate"] {
            try await wire.call(.get, "\(path)?\(Self.pairs)", headers: json).expect(
                400, message: "Too many parameters", comment: "\(path)")
        }
        let sdk = try await wire.call(.post, "/adobe-services/session", body: Self.pairs).expect(400)
        #expect(sdk.text.contains("<message>Too many parameters</message>"))
        let token = try await wire.call(.post, "/o/client/token", body: Self.pairs).expect(400)
        #expect(token.text.hasPrefix(#"{"error":"invalid_request","error_description":""#))
        let page = try await wire.call(.get, "/activate?\(Self.pairs)").expect(400)
        #expect(page.headers["Content-Type"]?.hasPrefix("text/html") == true)
    }

    @Test func `is a JSON object of at most 64 members`() async throws {
        func create(fillers: Int) async throws -> WireAnswer {
            let more = (0..<fillers).map { #","m\#($0)":0"# }.joined()
            return try await wire.signed(
                .post, "/reggie/v1/\(WireFixture.requestor)/regcode",
                headers: ["Content-Type": "application/json"], body: #"{"deviceId":"box"\#(more)}"#)
        }
        let (taken, refused) = (try await create(fillers: 63), try await create(fillers: 64))
        #expect(taken.status == 201)
        #expect(refused.status == 400)
    }

    @Test(
        .wire(settings: {
            $0.throttle = Throttle.Settings()
            $0.throttle?.browser = ThrottleLimit(interval: 1000, tolerance: 2000)
        }))
    func `comes from a browser in no great number, page or callback`() async throws {
        for path in ["/activate", "/api/v1/authenticate", "/adobe-services/oauth2"] {
            wire.clock.advance(by: .seconds(10))
            for _ in 0..<3 { #expect(try await wire.call(.get, path).status != 429) }
            let refused = try await wire.call(.get, path).expect(
                429, headers: ["Retry-After": "1"], comment: "\(path)")
            #expect(refused.headers["Content-Type"]?.hasPrefix("text/html") == true)
            wire.clock.advance(by: .seconds(1))
            #expect(try await wire.call(.get, path).status != 429)
        }
        wire.clock.advance(by: .seconds(10))
        for _ in 0..<5 { #expect(try await wire.call(.get, "/assets/none.json").status == 404) }
    }
}
