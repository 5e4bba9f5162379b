import Clientless
import HTTPClient
import Synchronization
import TestSupport

@testable import OpenIDConnect

/// A provider in memory: what it answers is up to the test.
final class FakeProvider: ProviderTransport, Sendable {
    typealias Answer = @Sendable (HTTPClient.Request) throws(HTTPClientError) -> HTTPClient.Response

    private struct State {
        var answers: [String: Answer] = [:]
        var requests: [HTTPClient.Request] = []
    }

    static let issuerText = "https://idp.example"
    let issuer = Issuer(issuerText, policy: .secure)!
    private let state = Mutex(State())

    init(keys: [SigningPair], changing metadata: [(String, JSONValue?)] = []) throws {
        self.publish(metadata: Self.metadata(metadata))
        try self.publish(keys)
    }

    static func metadata(_ changes: [(String, JSONValue?)] = []) -> JSONValue {
        JSONValue.make([
            ("issuer", "https://idp.example"), ("authorization_endpoint", "https://idp.example/authorize"),
            ("token_endpoint", "https://idp.example/token"), ("jwks_uri", "https://idp.example/keys"),
            ("end_session_endpoint", "https://idp.example/logout"), ("response_types_supported", .array(["code"])),
            ("id_token_signing_alg_values_supported", .array(["RS256", "ES256", "HS256", "none"])),
            ("code_challenge_methods_supported", .array(["plain", "S256"])),
        ]).with(changes)
    }

    func publish(metadata: JSONValue) { self.answer("/.well-known/openid-configuration", with: metadata) }

    func publish(_ keys: [SigningPair], cacheControl: String? = nil) throws {
        let document = JSONValue.make([("keys", .array(try keys.map { try $0.publicKey() }))])
        self.answer("/keys") { _ in
            var headers: HTTPClient.Headers = ["content-type": "application/json"]
            headers["cache-control"] = cacheControl
            return HTTPClient.Response(status: 200, headers: headers, body: document.bytes)
        }
    }

    func answer(_ path: String, _ answer: @escaping Answer) { self.state.withLock { $0.answers[path] = answer } }

    func answer(_ path: String, with document: JSONValue, status: Int = 200) {
        self.answer(path) { _ in
            HTTPClient.Response(status: status, headers: ["content-type": "application/json"], body: document.bytes)
        }
    }

    func send(_ request: HTTPClient.Request) async throws(HTTPClientError) -> HTTPClient.Response {
        let path = String(request.url.dropFirst(Self.issuerText.count))
        let answer = self.state.withLock { state in
            state.requests.append(request)
            return state.answers[path]
        }
        guard let answer else { throw HTTPClientError(.unreachable) }
        return try answer(request)
    }

    func requests(_ path: String) -> [HTTPClient.Request] {
        self.state.withLock { $0.requests.filter { $0.url == Self.issuerText + path } }
    }

    /// A client of it, with a clock that stands at ``TestClock/start``.
    func client(
        _ settings: OpenIDConnectClient.Settings? = nil, clock: TestClock = TestClock()
    ) -> OpenIDConnectClient {
        OpenIDConnectClient(
            settings ?? OpenIDConnectClient.Settings(issuer: self.issuer, clientID: "latchkey", authentication: .none),
            exchange: self, clocks: (now: { clock.now }, steady: { clock.now - TestClock.start }))
    }
}

extension HTTPClient.Request {
    var form: [String: String] { decodedPairs(String(decoding: self.body ?? [], as: UTF8.self)) }
}

/// The fault that `body` ends with; `nil` when it ends well.
func fault(_ body: () async throws(OpenIDConnectFault) -> some Any) async -> OpenIDConnectFault? { await thrown(body) }
