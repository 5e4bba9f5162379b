import Clientless
import Cryptography
import FoundationEssentials
import HTTPClient
import TestSupport
import Testing

@testable import OpenIDConnect

/// Debian's glewlwyd as `deploy/check/glewlwyd` sets it up, with a viewer's browser.
private final class RealProvider: Sendable {
    struct StartError: Error {
        let talk: String
    }

    private let folder: TemporaryFolder
    private let process: ChildProcess
    let url: String
    let issuer: Issuer
    let back: String
    var keyFile: String { self.folder.file("client-key.pem") }

    init() async throws {
        self.folder = try TemporaryFolder()
        self.process = try ChildProcess(
            "deploy/check/glewlwyd", [self.folder.file("")], environment: ["HOME": "/tmp", "LC_ALL": "C.UTF-8"])
        var line: String?
        for await text in self.process.outputLines {
            line = text
            break
        }
        guard let line, let document = ForeignJSON.object(Array(line.utf8), limit: 65_536),
            let url = document["url"]?.string, let back = document["redirect"]?.string,
            let issuer = document["issuer"]?.string.flatMap({ Issuer($0, policy: .secureOrLoopback) })
        else { throw StartError(talk: await self.process.talkLines.reduce(into: "") { $0 += $1 + "\n" }) }
        self.url = url
        self.issuer = issuer
        self.back = back
    }

    deinit { self.process.send(15) }

    func client(_ registration: OpenIDConnectClient.Settings) -> OpenIDConnectClient {
        var settings = registration
        settings.policy = .secureOrLoopback
        settings.time = .seconds(30)
        let clock = ContinuousClock()
        let start = clock.now
        return OpenIDConnectClient(
            settings, exchange: HTTPClient(),
            clocks: (
                now: { Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000)) },
                steady: { start.duration(to: clock.now) }
            ))
    }

    /// Walks a viewer's browser from `address` back to the client, as the provider's pages do it.
    /// - Parameter viewer: `nil` for a browser that is not signed in, and does not sign in.
    func walk(
        _ address: String, as viewer: (name: String, password: String)?, client: String
    ) async throws -> [(name: String, value: String)] {
        let browser = HTTPClient()
        let jar = CookieJar()
        func send(_ method: HTTPClient.Method, _ url: String, _ body: JSONValue? = nil) async throws
            -> HTTPClient.Response
        {
            var request = HTTPClient.Request(method, url, body: body?.bytes)
            if body != nil { request.headers.append("Content-Type", "application/json") }
            request.cookieJar = jar
            return try await browser.send(request)
        }
        var answer = try await send(.get, address)
        if let viewer {
            let page = try #require(answer.headers["location"])
            #expect(page.hasPrefix("\(self.url)/login.html?"))
            let further = try #require(query(of: page)["callback_url"])
            let signedIn = try await send(
                .post, "\(self.url)/api/auth/",
                .make([("username", .string(viewer.name)), ("password", .string(viewer.password))]))
            #expect(signedIn.status == 200)
            let granted = try await send(.put, "\(self.url)/api/auth/grant/\(client)", .make([("scope", "openid")]))
            #expect(granted.status == 200)
            answer = try await send(.get, "\(further)&g_continue")
        }
        let location = try #require(answer.headers["location"])
        #expect(location.hasPrefix("\(self.back)?"))
        return query(of: location).map { (name: $0.key, value: $0.value) }
    }
}

/// Whether the provider said no in words of the protocol. glewlwyd says `unauthorized_client` to a code that was used,
/// where RFC 6749 5.2 has `invalid_grant`.
private func isRefusal(_ fault: OpenIDConnectFault?) -> Bool {
    if case .refused = fault?.cause { true } else { false }
}

@Suite("A real provider, Debian's glewlwyd", .timeLimit(.minutes(5)))
struct GlewlwydTests {
    @Test(
        "is walked from its metadata to a code, tokens, userinfo, renewal and logout, with each way to prove the client"
    )
    func walk() async throws {
        let provider = try await RealProvider()
        let key = try ECPrivateKey(pem: Secret(try String(contentsOfFile: provider.keyFile, encoding: .utf8)))
        let ways: [(String, ClientAuthentication)] = [
            ("latchkey", .secretBasic(Secret("secret-of-latchkey-1"))),
            ("latchkey-post", .secretPost(Secret("another-secret"))),
            ("latchkey-key", .privateKey(ClientKey(.ec(key), id: nil))),
        ]
        var viewers: Set<String> = []
        for (index, (id, authentication)) in ways.enumerated() {
            var registration = OpenIDConnectClient.Settings(
                issuer: provider.issuer, clientID: id, authentication: authentication)
            // Pushed with one of them; glewlwyd takes both.
            registration.pushesRequests = index == 0
            let client = provider.client(registration)
            let start = try await client.begin(redirectAddress: provider.back, state: "state-\(index)")
            #expect((query(of: start.address)["request_uri"] != nil) == (index == 0))
            let parameters = try await provider.walk(start.address, as: ("anna", "anna-password"), client: id)
            let signIn = try await client.complete(parameters, attempt: start.attempt, state: "state-\(index)")
            #expect(signIn.claims["name"] == "Anna" && signIn.claims["zip"] == "10115")
            #expect(signIn.claims["channels"] == .array(["NS-MAIN", "NS-KIDS"]))
            #expect(signIn.idToken?.sessionID != nil && signIn.tokens.isRenewable)
            viewers.insert(signIn.tokens.subject)

            let renewed = try await client.refresh(signIn.tokens)
            #expect(renewed.tokens.subject == signIn.tokens.subject)
            #expect(renewed.tokens.refreshToken != signIn.tokens.refreshToken, "the provider rotates")
            #expect(try await client.userInfo(renewed.tokens)["name"] == "Anna")
            // The former refresh token counts once, and its second use ends what came of it.
            let again = await fault { () throws(OpenIDConnectFault) in try await client.refresh(signIn.tokens) }
            #expect(again?.trouble == .ended)
            let out = try #require(client.logoutAddress(renewed.tokens))
            #expect(out.hasPrefix("\(provider.issuer)/end_session?client_id=\(id)&id_token_hint="))
            // A code counts once.
            let replayed = await fault { () throws(OpenIDConnectFault) in
                try await client.complete(parameters, attempt: start.attempt, state: "state-\(index)")
            }
            #expect(isRefusal(replayed))
        }
        #expect(viewers.count == 1)
    }

    @Test func `refuses what is not right, and says so in words that are understood`() async throws {
        let provider = try await RealProvider()
        var registration = OpenIDConnectClient.Settings(
            issuer: provider.issuer, clientID: "latchkey", authentication: .secretBasic(Secret("secret-of-latchkey-1")))
        // glewlwyd forgets the prompt of a pushed request.
        registration.pushesRequests = false
        let client = provider.client(registration)
        // No page was wished, and the browser is not known there.
        let silent = try await client.begin(redirectAddress: provider.back, state: "s", isPassive: true)
        let parameters = try await provider.walk(silent.address, as: nil, client: "latchkey")
        let found = await fault { () throws(OpenIDConnectFault) in
            try await client.complete(parameters, attempt: silent.attempt, state: "s")
        }
        #expect(found?.trouble == .loginRequired)

        // A code that was begun in another browser does not fit this one's verifier.
        let victim = try await client.begin(redirectAddress: provider.back, state: "victim")
        let stolen = try await provider.walk(victim.address, as: ("bert", "bert-password"), client: "latchkey")
            .filter { $0.name != "state" }
        let attacker = try await client.begin(redirectAddress: provider.back, state: "attacker")
        let injected = await fault { () throws(OpenIDConnectFault) in
            try await client.complete(
                stolen + [(name: "state", value: "attacker")], attempt: attacker.attempt, state: "attacker")
        }
        #expect(isRefusal(injected))

        let stranger = provider.client(
            OpenIDConnectClient.Settings(
                issuer: provider.issuer, clientID: "latchkey", authentication: .secretBasic(Secret("wrong"))))
        let refused = await fault { () throws(OpenIDConnectFault) in
            try await stranger.begin(redirectAddress: provider.back, state: "s")
        }
        #expect(refused?.trouble == .misconfigured)
    }
}
