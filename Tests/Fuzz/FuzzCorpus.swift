import FoundationEssentials
import HTTPClient
import RealPrograms

/// Real requests of boxes, pages and people, for one set-up: damaged, they still come far.
struct FuzzCorpus: Sendable {
    let requests: [FuzzRequest]

    /// - Parameter server: has a box that is signed in, and a code that waits, when this returns.
    init(_ server: RunningServer) async throws {
        let client = HTTPClient()
        let boxes = FuzzBoxes(server, client)
        let (code, token) = (try await boxes.code(of: "waiting-box"), try await boxes.accessToken())
        try await boxes.signIn("fuzz-box")
        let person = try await FuzzPerson(server, client, code: code)
        self.requests =
            boxes.requests(code: code, accessToken: token) + person.requests(code: code) + Self.strangers(code)
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

    init(_ server: RunningServer, _ client: HTTPClient) {
        (self.server, self.client) = (server, client)
    }

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
            self.signed("POST", "/adobe-services/logout", form: presented),
        ]
    }

    private func signed(_ method: String, _ target: String, form: String? = nil) -> FuzzRequest {
        let path = String(target.prefix { $0 != "?" })
        // One nonce for each request and its damaged copies: this brand may send a header again.
        let proof = self.server.demo.authorization(
            method, path, requestor: DemoFolder.compatibleRequestor, nonce: "\(UUID())")
        return FuzzRequest(
            method, target,
            headers: [
                ("Authorization", proof), ("X-Device-Info", Self.deviceInformation), ("User-Agent", "hc/1.2"),
                ("Accept", "application/json"), ("X-Forwarded-For", "192.0.2.1"),
            ], form: form)
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

    /// A token of the box program's own kind: registered with the demo's software statement.
    func accessToken() async throws -> String {
        let file = try Data(contentsOf: URL(filePath: self.server.demo.boxConfiguration))
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

    init(_ server: RunningServer, _ client: HTTPClient, code: String) async throws {
        let first = try await client.send(HTTPClient.Request(.get, "\(server.url)/activate?code=\(code)"))
        let cookie = String(first.headers["Set-Cookie"]?.prefix { $0 != ";" } ?? "")
        var next = HTTPClient.Request(.get, "\(server.url)/activate/provider?code=\(code)")
        next.headers["Cookie"] = cookie
        let second = try await client.send(next)
        let forms = HTMLPage(second.text).forms
        guard let form = HTMLPage(first.text).forms.first, !cookie.isEmpty, forms.count > 1
        else { throw GaveUp(description: "the pages have no forms") }
        self.cookie = cookie
        self.codeForm = form.entries(typing: ["code": code], pressing: form.buttons.first)
        self.providerForms = forms.map { $0.entries(typing: ["mvpd": DemoFolder.provider], pressing: $0.buttons.first) }
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
                "POST", "/activate/sign-in", headers: headers,
                form: "form_token=\(unknown)&attempt=\(unknown)&account=demo&password=x"),
        ]
        for form in self.providerForms {
            requests.append(
                FuzzRequest("POST", "/activate/provider", headers: headers, form: HTMLForm.urlEncoded(form)))
        }
        return requests
    }
}
