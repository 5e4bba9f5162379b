import FoundationEssentials
import HTTPClient
import RealPrograms

/// Real requests of boxes, pages and people, for one set-up: damaged, they still come far.
struct FuzzCorpus: Sendable {
    let requests: [FuzzRequest]
    /// The code of a box that waits for the person, with a poll held.
    let heldCode: String
    let poll: FuzzRequest

    /// - Parameter server: has a box that is signed in, a code that waits, and a login under way when this returns.
    init(_ server: RunningServer) async throws {
        let client = HTTPClient()
        let boxes = FuzzBoxes(server, client)
        let (code, token) = (
            try await boxes.code(of: "waiting-box"), try await boxes.accessToken(of: "demo-application.json")
        )
        try await boxes.signIn("fuzz-box")
        let operatorToken = try await boxes.accessToken(of: "demo-operator.json")
        let person = try await FuzzPerson(server, client, code: code)
        self.requests =
            boxes.requests(code: code, accessToken: token) + boxes.operatorRequests(accessToken: operatorToken)
            + person.requests(code: code) + Self.strangers(code)
        self.heldCode = try await boxes.code(of: "held-box")
        self.poll = boxes.poll(of: "held-box")
        await client.shutDown()
    }

    /// What needs no credential.
    private static func strangers(_ code: String) -> [FuzzRequest] {
        let requestor = DemoFolder.compatibleRequestor
        let login =
            "reg_code=\(code)&requestor_id=\(requestor)&mso_id=\(DemoFolder.provider)&domain_name=demo.example"
            + "&noflash=true&redirect_url=https%3A%2F%2Fdemo.example%2Fdone%3Fa%3Db"
        return [
            FuzzRequest("GET", "/api/v1/config/\(requestor).json", headers: [("Origin", "https://demo.example")]),
            FuzzRequest("GET", "/reggie/v1/\(requestor)/regcode/\(code)", headers: [("Accept", "text/xml;q=0.5, */*")]),
            FuzzRequest("GET", "/api/v1/checkauthn/\(code)?requestor=\(requestor)&format=xml"),
            FuzzRequest("GET", "/api/v1/authenticate?\(login)", headers: [("Accept", "text/html,*/*;q=0.8")]),
            FuzzRequest("POST", "/adobe-services/authenticate/saml", form: login),
            FuzzRequest(
                "POST", "/o/client/register", headers: [("Content-Type", "application/json")],
                form: #"{"software_statement":"eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.AA","redirect_uri":"https://x"}"#),
            FuzzRequest("POST", "/o/client/token", form: "grant_type=client_credentials&client_id=a&client_secret=b"),
            FuzzRequest("GET", "/api/v1/preauthorize/\(code)?requestor=\(requestor)&resource=Demo%20One,Demo%20Extra"),
            FuzzRequest("GET", "/control/v3/degradation/demo/all?programmer=\(requestor)&mvpd=&includeHistory=true"),
            FuzzRequest("POST", "/control/v3/degradation/demo/authzAll?programmer=\(requestor)&ttl=60&resource=a"),
            FuzzRequest(
                "DELETE", "/reset-tempass/v3/reset?requestor_id=\(requestor)&mvpd_id=FreePreview&device_id=all"),
            FuzzRequest(
                "POST", "/sp/saml/SAMLAssertionConsumer", form: "SAMLResponse=PHNhbWxwOlJlc3BvbnNlLz4%3D&RelayState=a"),
            FuzzRequest(
                "GET", "/sp/saml/LogoutServiceHTTPRedirectResponse?SAMLResponse=PHg%2BPC94Pg%3D%3D&RelayState=a"),
            FuzzRequest("GET", "/adobe-services/oauth2?code=a&state=b"),
            FuzzRequest("GET", "/sp/login/DemoTV?code=a&state=b&iss=https%3A%2F%2Ftv.example"),
            FuzzRequest("POST", "/sp/login/DemoTV", form: "SAMLResponse=PHNhbWxwOlJlc3BvbnNlLz4%3D&RelayState=a"),
            FuzzRequest("POST", "/sp/logout/DemoTV", form: "logout_token=eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.AA"),
            FuzzRequest("GET", "/sp/logout/DemoTV?iss=https%3A%2F%2Ftv.example&sid=a"),
            FuzzRequest("GET", "/sp/logout/DemoTV?SAMLRequest=AQAA%2F%2F8%3D&RelayState=a&SigAlg=b&Signature=YQ%3D%3D"),
            FuzzRequest("GET", "/sp/metadata/DemoTV"),
            FuzzRequest("GET", "/healthz"), FuzzRequest("GET", "/readyz"), FuzzRequest("GET", "/"),
        ]
    }
}

/// Boxes of the brand for deployed clients, which sign each call, and one that has a token.
private struct FuzzBoxes {
    private static let deviceInformation =
        "eyJwcmltYXJ5SGFyZHdhcmVUeXBlIjoiU2V0VG9wQm94IiwibW9kZWwiOiJIQy0xMDAiLCJkaXNwbGF5V2lkdGgiOjE5MjB9"

    let server: RunningServer
    let client: HTTPClient

    init(_ server: RunningServer, _ client: HTTPClient) { (self.server, self.client) = (server, client) }

    func requests(code: String, accessToken: String) -> [FuzzRequest] {
        let requestor = DemoFolder.compatibleRequestor
        let device = "requestor=\(requestor)&deviceId=fuzz-box&appVersion=1.0&format=json"
        let channel = "\(device)&resource=Demo%20One"
        let document =
            "%3Crss%20xmlns%3Amedia%3D%22http%3A%2F%2Fsearch.yahoo.com%2Fmrss%2F%22%3E%3Cchannel%3E%3Ctitle%3EDemo"
            + "%20One%3C%2Ftitle%3E%3C%2Fchannel%3E%3C%2Frss%3E"
        let creation = "deviceId=new-box&ttl=1800&mvpd=DemoTV&registrationURL=https://demo.example/activate"
        let endpoints = [
            "checkauthn", "tokens/authn", "tokens/authz", "tokens/media", "mediatoken.xml", "authorize", "preauthorize",
            "tokens/usermetadata",
        ]
        let polls = endpoints.map { self.signed("GET", "/api/v1/\($0)?\(channel)") }
        return polls + self.nativeRequests(code: code) + [
            self.signed("POST", "/reggie/v1/\(requestor)/regcode", form: creation),
            self.signed("POST", "/reggie/v1/\(requestor)/regcode?ttl=60&deviceId=new-box&device_info=eyJhIjpbXX0%3D"),
            self.signed("DELETE", "/reggie/v1/\(requestor)/regcode/BBBBBBB"),
            self.signed("GET", "/api/v1/authenticate/\(code)?requestor=\(requestor)"),
            self.signed("GET", "/api/v1/authorize?\(device)&resource=\(document)"),
            self.signed("POST", "/api/v1/tokens/media", form: channel),
            self.signed("GET", "/api/v1/preauthorize?\(device)&resource=Demo%20One,%20Demo%20Two%2CDemo%20Extra"),
            self.signed(
                "POST", "/api/v1/authenticate/freepreview",
                form: "\(device)&mso_id=FreePreview&domain_name=demo.example&generic_data=(%22email%22:%22f7ee%22)"),
            self.signed("GET", "/api/v1/\(requestor)/profile-requests/\(DemoFolder.provider)?deviceType=tvOS"),
            self.signed(
                "POST", "/api/v1/tokens/authn",
                form: "\(device)&mvpd=DemoTV&deviceType=iOS&SAMLResponse=PHNhbWxwOlJlc3BvbnNlLz4%3D"),
            self.signed("DELETE", "/api/v1/logout.json?deviceId=other-box"),
            self.signed(
                "GET", "/api/v1/tokens/authn?requestor=\(DemoFolder.strictRequestor)&deviceId=fuzz-box",
                requestor: DemoFolder.strictRequestor),
            self.signed(
                "POST", "/reggie/v1/\(DemoFolder.strictRequestor)/regcode", form: "deviceId=new-box",
                requestor: DemoFolder.strictRequestor),
            FuzzRequest(
                "GET", "/api/v1/tokens/authn?requestor=\(DemoFolder.strictRequestor)&deviceId=d",
                headers: [("Authorization", "Bearer \(accessToken)")]),
            FuzzRequest(
                "POST", "/reggie/v1/\(DemoFolder.strictRequestor)/regcode",
                headers: [("Authorization", "Bearer \(accessToken)"), ("X-Device-Info", Self.deviceInformation)],
                form: "deviceId=d"),
        ]
    }

    /// What the library of an application sends (sdk-services).
    private func nativeRequests(code: String) -> [FuzzRequest] {
        let shared = "requestor_id=\(DemoFolder.compatibleRequestor)&device_id=fuzz-box&mso_id=\(DemoFolder.provider)"
        let document =
            "%3CsignatureInfo%3EAAAA%3C%2FsignatureInfo%3E%3CsimpleAuthenticationToken%3E%3CsimpleTokenRequestorID%3E"
            + "DEMO-CLASSIC%3C%2FsimpleTokenRequestorID%3E%3C%2FsimpleAuthenticationToken%3E"
        let presented = "\(shared)&authentication_token=\(document)&userMeta=1"
        return [
            self.signed("POST", "/indiv/devices", form: "{\"fingerprint\":\"fuzz-box\"}"),
            self.signed("POST", "/adobe-services/session", form: "\(shared)&reg_code=\(code)&_method=GET"),
            self.signed("POST", "/adobe-services/sessionDevice", form: shared),
            self.signed("POST", "/adobe-services/authorizeDevice", form: "\(presented)&resource_id=Demo%20One"),
            self.signed(
                "POST", "/adobe-services/deviceShortAuthorize",
                form: "\(shared)&authz_token=\(document)&session_guid=8b4e&hashed_guid=false"),
            self.signed(
                "POST", "/adobe-services/preauthorize", form: "\(presented)&resource_id=a&resource_id=b&cache=1"),
            self.signed("POST", "/adobe-services/usermetadata", form: presented),
            self.signed("POST", "/adobe-services/passive", form: presented),
            self.signed("POST", "/adobe-services/temporary", form: "\(shared)&generic_data=%7B%22email%22:%22a%22%7D"),
            self.signed("POST", "/adobe-services/platform", form: "\(shared)&SAMLResponse=PHg%2BPC94Pg%3D%3D"),
            self.signed("POST", "/adobe-services/profile", form: "\(presented)&profile_request=bGF0Y2hrZXk%3D"),
            self.signed("POST", "/adobe-services/logout", form: presented),
        ]
    }

    /// What an operator's tools send; what would end sign-ins or codes asks for others than those in use here.
    func operatorRequests(accessToken: String) -> [FuzzRequest] {
        let requestor = DemoFolder.strictRequestor
        let headers = [("Authorization", "Bearer \(accessToken)"), ("Accept", "application/json")]
        let rule = "programmer=\(requestor)&mvpd=\(DemoFolder.provider)&ttl=60"
        return [
            FuzzRequest("GET", "/management/v1/devices/records.json?deviceId=fuzz-box", headers: headers),
            FuzzRequest("GET", "/control/v3/degradation/demo/all?\(rule)&includeHistory=true", headers: headers),
            FuzzRequest("POST", "/control/v3/degradation/demo/authzAll?\(rule)&resource=nothing", headers: headers),
            FuzzRequest(
                "DELETE", "/reset-tempass/v3/reset?requestor_id=\(requestor)&mvpd_id=FreePreview&device_id=other-box",
                headers: headers),
        ]
    }

    /// "Signed in yet?", asked to be held.
    func poll(of device: String) -> FuzzRequest {
        let requestor = DemoFolder.compatibleRequestor
        var request = self.signed("GET", "/api/v1/checkauthn?requestor=\(requestor)&deviceId=\(device)&format=json")
        request.headers.append(("Prefer", Array("wait=40".utf8)))
        return request
    }

    private func signed(
        _ method: String, _ target: String, form: String? = nil, requestor: String = DemoFolder.compatibleRequestor
    ) -> FuzzRequest {
        let path = String(target.prefix { $0 != "?" })
        var request = FuzzRequest(
            method, target,
            headers: [
                // One nonce for each request and its damaged copies: the brand for deployed clients may send a header
                // again.
                (
                    "Authorization",
                    self.server.demo.authorization(method, path, requestor: requestor, nonce: "\(UUID())")
                ),
                ("X-Device-Info", Self.deviceInformation), ("User-Agent", "hc/1.2"), ("Accept", "application/json"),
                ("X-Forwarded-For", "192.0.2.1"),
            ], form: form)
        request.signature = FuzzRequest.Signature(
            isStrict: requestor == DemoFolder.strictRequestor, uri: Array(path.utf8)
        ) { [demo = self.server.demo] verb, uri, nonce in
            demo.authorization(verb, uri, requestor: requestor, nonce: nonce)
        }
        return request
    }

    func code(of device: String) async throws -> String {
        let path = "/reggie/v1/\(DemoFolder.compatibleRequestor)/regcode"
        let answer = try await self.send(self.signed("POST", path, form: "deviceId=\(device)"))
        guard let code = try JSON(parsing: answer)["code"]?.text else { throw GaveUp(description: answer) }
        return code
    }

    func signIn(_ device: String) async throws {
        let phone = Phone(self.client)
        let question = try await phone.walkToConfirmation(
            from: "\(self.server.url)/activate?code=\(try await self.code(of: device))", as: self.server.demo.viewer)
        _ = try await phone.decide(.confirm, on: question)
        let channel = "requestor=\(DemoFolder.compatibleRequestor)&deviceId=\(device)&resource=Demo+One"
        _ = try await self.send(self.signed("GET", "/api/v1/authorize?\(channel)"))
    }

    /// A token of an application: registered with the software statement in a file of the demo.
    func accessToken(of name: String) async throws -> String {
        let file = try Data(contentsOf: URL(filePath: "\(self.server.demo.path)/\(name)"))
        let statement = try JSON(parsing: String(decoding: file, as: UTF8.self))["softwareStatement"]?.text ?? ""
        let registered = try JSON(
            parsing: try await self.send(
                FuzzRequest("POST", "/o/client/register", form: "software_statement=\(statement)")))
        let (id, secret) = (registered["client_id"]?.text ?? "", registered["client_secret"]?.text ?? "")
        let form = "grant_type=client_credentials&client_id=\(id)&client_secret=\(secret)"
        let answer = try await self.send(FuzzRequest("POST", "/o/client/token", form: form))
        guard let token = try JSON(parsing: answer)["access_token"]?.text else { throw GaveUp(description: answer) }
        return token
    }

    /// - Returns: the body of the answer, which must be success.
    private func send(_ request: FuzzRequest) async throws -> String {
        let connection = try RawConnection(port: self.server.port)
        connection.send(request.bytes)
        let text = try await connection.receiveAll()
        guard let answer = FuzzAnswer(text), (200..<300).contains(answer.status),
            let end = text.firstRange(of: "\r\n\r\n")
        else { throw GaveUp(description: "refused: \(text)") }
        return String(text[end.upperBound...])
    }
}

/// A person with a browser, in the middle of pairing.
private struct FuzzPerson {
    let cookie: String
    let codeForm: [(name: String, value: String)]
    let providerForms: [[(name: String, value: String)]]
    /// The form of a login under way, with the wrong password in it.
    let signInForm: [(name: String, value: String)]

    init(_ server: RunningServer, _ client: HTTPClient, code: String) async throws {
        let first = try await client.send(HTTPClient.Request(.get, "\(server.url)/activate?code=\(code)"))
        let cookie = String(first.headers["Set-Cookie"]?.prefix { $0 != ";" } ?? "")
        var next = HTTPClient.Request(.get, "\(server.url)/activate/provider?code=\(code)")
        next.headers["Cookie"] = cookie
        let second = try await client.send(next)
        // Every page begins with the form of its language.
        let forms = HTMLPage(second.text).forms.dropFirst()
        guard let form = HTMLPage(first.text).forms.dropFirst().first, !cookie.isEmpty, forms.count > 1
        else { throw GaveUp(description: "the pages have no forms") }
        self.cookie = cookie
        self.codeForm = form.entries(typing: ["code": code], pressing: form.buttons.first)
        self.providerForms = forms.map { $0.entries(typing: ["mvpd": DemoFolder.provider], pressing: $0.buttons.first) }
        self.signInForm = try await Self.beginLogin(server, client, cookie: cookie)
    }

    /// Chooses the provider for a code of its own, and stops at the password.
    private static func beginLogin(
        _ server: RunningServer, _ client: HTTPClient, cookie: String
    ) async throws -> [(name: String, value: String)] {
        let code = try await FuzzBoxes(server, client).code(of: "login-box")
        var picker = HTTPClient.Request(.get, "\(server.url)/activate/provider?code=\(code)")
        picker.headers["Cookie"] = cookie
        let page = HTMLPage(try await client.send(picker).text)
        let choices = page.forms.compactMap { form in
            form.button(named: "mvpd", value: DemoFolder.provider).map { form.entries(typing: [:], pressing: $0) }
        }
        guard let entries = choices.first else { throw GaveUp(description: "the picker has no \(DemoFolder.provider)") }
        var choice = HTTPClient.Request(.post, "\(server.url)/activate/provider")
        choice.headers["Cookie"] = cookie
        choice.headers["Content-Type"] = "application/x-www-form-urlencoded"
        choice.body = Array(HTMLForm.urlEncoded(entries).utf8)
        let chosen = try await client.send(choice)
        guard let place = chosen.headers["Location"] else {
            throw GaveUp(description: "choosing a provider is answered with \(chosen.status): \(chosen.text)")
        }
        var next = HTTPClient.Request(.get, place.hasPrefix("/") ? server.url + place : place)
        next.headers["Cookie"] = cookie
        let answer = HTMLPage(try await client.send(next).text)
        let login = answer.forms.lazy
            .map { $0.entries(typing: ["account": "demo", "password": "wrong"], pressing: $0.buttons.first) }
            .first { $0.contains { $0.name == "password" } }
        if let login { return login }
        throw GaveUp(description: "no provider asks for a password")
    }

    func requests(code: String) -> [FuzzRequest] {
        let headers = [
            ("Cookie", self.cookie), ("Accept-Language", "en-GB,en;q=0.9,de;q=0.5"), ("Sec-Fetch-Site", "same-origin"),
        ]
        let unknown = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        var requests = [
            FuzzRequest("GET", "/activate?code=\(code)", headers: headers),
            FuzzRequest("GET", "/activate/provider?code=\(code)", headers: headers),
            FuzzRequest("GET", "/activate/confirm?attempt=\(unknown)", headers: headers),
            FuzzRequest("POST", "/activate", headers: headers, form: HTMLForm.urlEncoded(self.codeForm)),
            FuzzRequest(
                "POST", "/activate/language", headers: headers + [("Cookie", "latchkey-language=ja")],
                form: "language=ar&page=/activate/provider&code=\(code)&attempt=\(unknown)"),
            FuzzRequest(
                "POST", "/activate/sign-in", headers: headers,
                form: "form_token=\(unknown)&attempt=\(unknown)&account=demo&password=x"),
        ]
        requests.append(
            FuzzRequest("POST", "/activate/sign-in", headers: headers, form: HTMLForm.urlEncoded(self.signInForm)))
        for form in self.providerForms {
            requests.append(
                FuzzRequest("POST", "/activate/provider", headers: headers, form: HTMLForm.urlEncoded(form)))
        }
        return requests
    }
}
