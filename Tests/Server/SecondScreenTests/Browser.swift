import HTTPServer
import Replies
import Testing
import TextCoding

/// A browser without a screen: keeps cookies, follows redirects when told to, and fills in the forms it was given.
final class Browser {
    let router: Router
    let address: IPAddress
    var cookies: [String: String] = [:]
    /// Sent with every request.
    var headers: [(name: String, value: String)] = []
    private(set) var page = ShownPage(path: "", response: HTTPResponse())

    var host = "tv.example"

    init(_ fixture: ScreenFixture) {
        self.router = fixture.router
        self.address = IPAddress("192.0.2.77")!
    }

    convenience init(_ fixture: ScreenFixture, address: String) throws {
        try self.init(fixture.router, address: address)
    }

    init(_ router: Router, address: String) throws {
        self.router = router
        self.address = try #require(IPAddress(address))
    }

    @discardableResult
    func get(_ path: String) async -> ShownPage { await self.send(.get, path, body: [], headers: []) }

    /// Sends fields as they are given, to see what becomes of made-up forms.
    @discardableResult
    func post(
        _ path: String, _ fields: [(String, String)], headers: [(name: String, value: String)] = []
    ) async -> ShownPage {
        let body = fields.map { "\(PercentCoding.encoded($0.0))=\(PercentCoding.encoded($0.1))" }.joined(separator: "&")
        return await self.send(
            .post, path, body: Array(body.utf8),
            headers: [("Content-Type", "application/x-www-form-urlencoded")] + headers)
    }

    /// Fills in the form of the shown page that goes to `action`, sends it, and follows where it leads. What is given
    /// takes the place of what the form hides.
    @discardableResult
    func submit(_ action: String, _ fields: [(String, String)] = []) async throws -> ShownPage {
        let form = try #require(self.page.form(action), "no form to \(action) on \(self.page.path)")
        let typed = Set(fields.map(\.0))
        await self.post(action, form.filter { !typed.contains($0.0) } + fields)
        return await self.follow()
    }

    @discardableResult
    func follow() async -> ShownPage {
        for _ in 0..<5 {
            guard let location = self.page.location, location.hasPrefix("/") else { break }
            await self.get(location)
        }
        return self.page
    }

    /// What the server replies, also when it holds its answer.
    func reply(_ path: String, _ headers: [(name: String, value: String)]) -> HTTPReply {
        self.router.respond(to: self.request(.get, path, body: [], headers: headers))
    }

    private func request(
        _ method: HTTPMethod, _ path: String, body: [UInt8], headers: [(name: String, value: String)]
    ) -> HTTPRequest {
        var fields = self.headers + headers
        if !self.cookies.isEmpty {
            fields.append(("Cookie", self.cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")))
        }
        return HTTPRequest(
            method: method, target: path,
            headers: HTTPHeaders([(name: "Host", value: self.host), (name: "Accept", value: "text/html")] + fields),
            body: body, remoteAddress: self.address, normaliser: self.router.normaliser)
    }

    private func send(
        _ method: HTTPMethod, _ path: String, body: [UInt8], headers: [(name: String, value: String)]
    ) async -> ShownPage {
        let response: HTTPResponse
        switch self.router.respond(to: self.request(method, path, body: body, headers: headers)) {
        case .now(let answer): response = answer
        case .later(let work, _, _): response = await work()
        case .held: response = HTTPResponse(status: .internalServerError)
        }
        for cookie in response.headers.all("Set-Cookie") {
            let pair = cookie.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
            self.cookies[String(pair[0])] = pair.count == 2 ? String(pair[1]) : nil
        }
        self.page = ShownPage(path: path, response: response)
        return self.page
    }
}

extension Browser {
    @discardableResult
    func walkToSignIn(_ code: String, mvpd: String = "CedarCable") async throws -> ShownPage {
        await self.get("/activate")
        try await self.submit("/activate", [("code", code)])
        // A brand with one provider has no picker.
        guard self.page.form("/activate/provider") != nil else { return self.page }
        return try await self.submit("/activate/provider", [("mvpd", mvpd)])
    }

    @discardableResult
    func walkToConfirmation(
        _ code: String, mvpd: String = "CedarCable", account: String = "ada"
    ) async throws -> ShownPage {
        try await self.walkToSignIn(code, mvpd: mvpd)
        return try await self.signIn(account: account)
    }

    @discardableResult
    func signIn(account: String = "ada", password: String = "right") async throws -> ShownPage {
        try await self.submit("/activate/sign-in", [("account", account), ("password", password)])
    }

    @discardableResult
    func decide(_ decision: String, _ fields: [(String, String)] = []) async throws -> ShownPage {
        try await self.submit("/activate/confirm", [("decision", decision)] + fields)
    }

    func pair(_ code: String, mvpd: String = "CedarCable", account: String = "ada") async throws {
        try await self.walkToConfirmation(code, mvpd: mvpd, account: account)
        try await self.decide("confirm")
    }

    @discardableResult
    func walkToBoxes(mvpd: String = "CedarCable", account: String = "ada") async throws -> ShownPage {
        await self.get("/boxes")
        try await self.submit("/boxes", [("mvpd", mvpd)])
        return try await self.signIn(account: account)
    }

    @discardableResult
    func changeFirstBox(_ change: String, _ fields: [(String, String)] = []) async throws -> ShownPage {
        try await self.submit("/boxes/change", [("change", change)] + fields)
    }
}

struct ShownPage {
    let path: String
    let response: HTTPResponse

    var status: Int { self.response.status.code }
    var location: String? { self.response.headers["Location"] }
    var text: String { String(decoding: self.response.body, as: UTF8.self) }

    /// The text but for the tokens of its forms, which are others on each page.
    var textWithoutTokens: String { Self.withoutTokens(self.text) }

    static func withoutTokens(_ text: String) -> String {
        text.replacing(/name="form_token" value="[A-Za-z0-9_-]{86}"/, with: "TOKEN")
    }

    var heading: String? { self.text.firstMatch(of: /<h1[^>]*>(.*?)<\/h1>/).map { Self.unescaped(String($0.1)) } }

    /// The text of what is announced as wrong.
    var alert: String? {
        self.text.firstMatch(of: /<p class="alert"[^>]*>(.*?)<\/p>/).map { Self.unescaped(String($0.1)) }
    }

    /// Whether a viewer reads `words`, wherever the lines end.
    func shows(_ words: String) -> Bool { Self.unescaped(self.text).replacing("\u{A0}", with: " ").contains(words) }

    /// Expects what is given; each of the texts in `shows` is read by a viewer, and each in `contains` is in the markup.
    @discardableResult
    func expect(
        _ status: Int? = nil, heading: String?? = .none, alert: String?? = .none, location: String?? = .none,
        shows: String..., contains: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) -> ShownPage {
        if let status { #expect(self.status == status, "\(self.text)", sourceLocation: sourceLocation) }
        if let heading { #expect(self.heading == heading, sourceLocation: sourceLocation) }
        if let alert { #expect(self.alert == alert, sourceLocation: sourceLocation) }
        if let location { #expect(self.location == location, sourceLocation: sourceLocation) }
        for words in shows { #expect(self.shows(words), "\(words)", sourceLocation: sourceLocation) }
        for text in contains { #expect(self.text.contains(text), "\(text)", sourceLocation: sourceLocation) }
        return self
    }

    /// The hidden fields of the form that goes to `action`, besides which a browser sends nothing by itself.
    func form(_ action: String) -> [(String, String)]? {
        for form in self.text.split(separator: "<form ").dropFirst() where form.contains("action=\"\(action)\"") {
            let end = form.firstRange(of: "</form>")?.lowerBound ?? form.endIndex
            return form[..<end].matches(of: /<input type="hidden" name="([^"]*)" value="([^"]*)" \/>/).map {
                (String($0.1), Self.unescaped(String($0.2)))
            }
        }
        return nil
    }

    /// Text without tags and references.
    static func unescaped(_ markup: String) -> String {
        markup.replacing(/<[^>]*>/, with: "").replacing("&lt;", with: "<").replacing("&gt;", with: ">")
            .replacing("&quot;", with: "\"").replacing("&#39;", with: "'").replacing("&amp;", with: "&")
    }
}
