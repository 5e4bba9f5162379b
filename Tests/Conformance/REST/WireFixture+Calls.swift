import Clientless
import Cryptography
import Entitlement
import HTTPClient
import TestSupport
import Testing
import WireAnswers

extension WireFixture {
    func call(
        _ method: HTTPClient.Method, _ target: String, token: String? = nil, headers: HTTPClient.Headers = [:],
        body: String? = nil
    ) async throws -> WireAnswer {
        var headers = headers
        if let token { headers.append("Authorization", "Bearer \(token)") }
        if body != nil, headers["Content-Type"] == nil {
            headers.append("Content-Type", "application/x-www-form-urlencoded")
        }
        var request = HTTPClient.Request(
            method, self.base + target, headers: headers, body: body.map { Array($0.utf8) })
        request.timeout = .seconds(50)
        return try await self.client.send(request)
    }

    func signature(
        _ verb: String = "GET", _ uri: String, requestor: String = WireFixture.requestor.text,
        nonce: String = "nonce-\(UInt64.random(in: 0 ... .max))", time: String? = nil, method: String = "HMAC-SHA1",
        keyPair: KeyPair = WireFixture.keyPair
    ) -> String {
        let signed =
            "\(verb) requestor_id=\(requestor), nonce=\(nonce), signature_method=\(method), "
            + "request_time=\(time ?? String(self.clock.now.milliseconds)), request_uri=\(uri)"
        let code = HMACKey(keyPair.privateKey, hash: .sha1).authenticationCode(for: signed.utf8)
        return "\(signed), public_key=\(keyPair.publicKey), signature=\(Base64.encode(code))"
    }

    /// A signed request, in JSON unless `accept` says otherwise.
    func signed(
        _ method: HTTPClient.Method, _ target: String, as uri: String? = nil, accept: String = "application/json",
        headers: HTTPClient.Headers = [:], body: String? = nil, requestor: RequestorID = WireFixture.requestor,
        keyPair: KeyPair = WireFixture.keyPair
    ) async throws -> WireAnswer {
        var headers = headers
        let path = String(target.prefix { $0 != "?" })
        headers.append(
            "Authorization", self.signature(method.rawValue, uri ?? path, requestor: requestor.text, keyPair: keyPair))
        if headers["Accept"] == nil { headers.append("Accept", accept) }
        return try await self.call(method, target, headers: headers, body: body)
    }

    func code(
        of device: String = "box-1", requestor: RequestorID = WireFixture.requestor, more: String = ""
    ) async throws -> String {
        let answer = try await self.signed(
            .post, "/reggie/v1/\(requestor)/regcode", body: "deviceId=\(device)\(more)", requestor: requestor
        ).expect(201)
        return try #require(answer.value("code"))
    }

    /// The query of a login that a programmer's page starts.
    func authenticateTarget(
        _ code: String, mvpd: MVPDID = WireFixture.provider, requestor: RequestorID = WireFixture.requestor
    ) -> String {
        "/api/v1/authenticate?reg_code=\(code)&requestor_id=\(requestor)&mso_id=\(mvpd)"
            + "&domain_name=north-sport.example&noflash=true&redirect_url=https%3A%2F%2Fnorth-sport.example%2Fdone"
    }

    /// Starts a login as a browser does.
    /// - Returns: the login's token and the browser's secret.
    func beginLogin(
        _ code: String, mvpd: MVPDID = WireFixture.provider, requestor: RequestorID = WireFixture.requestor
    ) async throws -> (token: String, browser: Browser) {
        try Self.login(in: try await self.call(.get, self.authenticateTarget(code, mvpd: mvpd, requestor: requestor)))
    }

    private static func login(in answer: WireAnswer) throws -> (token: String, browser: Browser) {
        #expect(answer.status == 302, "\(answer.text)")
        let location = try #require(answer.headers["Location"])
        let token = try #require(location.split(separator: "attempt=").last)
        let cookie = try #require(answer.headers["Set-Cookie"]?.prefix { $0 != ";" })
        let value = try #require(cookie.split(separator: "=", maxSplits: 1).last)
        return (String(token), Browser(Secret(try #require(Base64.decodeURL(value)))))
    }

    /// Confirms the box of a login that began without a question, as the page it led to would.
    @discardableResult
    func confirm(_ answer: WireAnswer) async throws -> LoginView {
        #expect(answer.headers["Location"]?.hasPrefix("/activate/confirm?attempt=") == true)
        return try await self.confirm(try Self.login(in: answer))
    }

    @discardableResult
    func confirm(_ login: (token: String, browser: Browser)) async throws -> LoginView {
        try await self.domain.logins.confirm(
            login.token, browser: login.browser, by: Guesser(.v4(0xC633_6401)), now: self.clock.now)
    }

    /// A login whose viewer has signed in and has yet to confirm the box.
    func acceptedLogin(
        _ code: String, mvpd: MVPDID = WireFixture.provider, account: String = "ada", password: String = "right",
        requestor: RequestorID = WireFixture.requestor
    ) async throws -> (token: String, browser: Browser) {
        let (token, browser) = try await self.beginLogin(code, mvpd: mvpd, requestor: requestor)
        let step = try await self.domain.logins.complete(
            token, browser: browser, response: .password(account: account, password: Secret(password)),
            by: Guesser(.v4(0xC633_6401)), now: self.clock.now)
        guard case .went(let view) = step, view.stage(at: self.clock.now) == .confirm else {
            Issue.record("the login is not at the confirmation: \(step)")
            return (token, browser)
        }
        return (token, browser)
    }

    func signIn(
        _ code: String, mvpd: MVPDID = WireFixture.provider, account: String = "ada", password: String = "right",
        requestor: RequestorID = WireFixture.requestor
    ) async throws {
        try await self.confirm(
            try await self.acceptedLogin(
                code, mvpd: mvpd, account: account, password: password, requestor: requestor))
    }

    /// Returns when so many polls wait.
    func untilHeld(_ count: Int) async { while self.domain.waitingRoom.count != count { await Task.yield() } }

    @discardableResult
    func signedInDevice(
        _ device: String = "box-1", mvpd: MVPDID = WireFixture.provider, requestor: RequestorID = WireFixture.requestor
    ) async throws -> String {
        let code = try await self.code(of: device, requestor: requestor)
        try await self.signIn(code, mvpd: mvpd, requestor: requestor)
        return code
    }

    func accessToken(for application: String = WireFixture.application) async throws -> String {
        try await self.newClient(of: application).token
    }

    func newClient(of application: String) async throws -> (id: String, token: String) {
        let statement = try SoftwareStatement(
            softwareID: application, issuer: Self.issuer, issuedAt: self.clock.now, notBefore: self.clock.now
        ).signed(by: Self.statementKey.get())
        let client = try await self.call(.post, "/o/client/register", body: "software_statement=\(statement)").expect(
            201)
        let id = try #require(client.value("client_id"))
        let secret = try #require(client.value("client_secret"))
        let token = try await self.call(
            .post, "/o/client/token", body: "grant_type=client_credentials&client_id=\(id)&client_secret=\(secret)"
        ).expect(201)
        return (id, try #require(token.value("access_token")))
    }
}
