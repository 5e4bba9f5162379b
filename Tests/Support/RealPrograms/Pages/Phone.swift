import FoundationEssentials
package import HTTPClient

/// Somebody's phone, without the screen: opens pages, fills in their forms and presses their buttons as a browser
/// without JavaScript does. It knows no path and no secret but what a page told it.
package final class Phone: Sendable {
    /// A page with its address, after redirections.
    package struct Page: Sendable {
        package let url: String
        package let status: Int
        package let headers: HTTPClient.Headers
        package let content: HTMLPage
        /// The HTML as served.
        package let source: String

        /// The page in a line, for messages of a check that failed.
        package var summary: String { "\(self.status) “\(self.content.title)”: \(self.content.text.prefix(300))" }

        /// The form that has a button or a field of this name.
        package func form(having name: String) -> HTMLForm? {
            self.content.forms.first { $0.field(named: name) != nil || $0.button(named: name) != nil }
        }
    }

    /// The pages did not go on as a person would expect.
    package struct Stuck: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) { self.description = description }
    }

    private static let redirectLimit = 10

    private let client: HTTPClient
    private let cookies = CookieJar()
    private let address: String?

    /// - Parameters:
    ///   - client: shared clients save connections; the cookies are this phone's own.
    ///   - address: where it is, behind a proxy that the server trusts; `nil` for no proxy.
    package init(_ client: HTTPClient = HTTPClient(), behindProxyAt address: String? = nil) {
        self.client = client
        self.address = address
    }

    package func open(_ url: String) async throws -> Page { try await self.load(HTTPClient.Request(.get, url)) }

    /// Loads an address once more as browsers do, compressed. Nothing is made of the answer, and no redirection followed.
    package func loadCompressed(_ url: String) async throws -> HTTPClient.Response {
        var request = self.browsing(HTTPClient.Request(.get, url), from: nil)
        request.headers["Accept-Encoding"] = "gzip"
        return try await self.client.send(request)
    }

    /// Asks what the script of a page asks, held by the server until there is an answer.
    /// - Parameter address: as the page says it.
    package func ask(_ address: String, of page: Page) async throws -> HTTPClient.Response {
        var request = HTTPClient.Request(.get, try resolve(address, on: page.url))
        request.cookieJar = self.cookies
        if let address = self.address { request.headers["X-Forwarded-For"] = address }
        request.headers["Prefer"] = "wait=50"
        request.timeout = .seconds(70)
        return try await self.client.send(request)
    }

    /// Presses a button of a form, or Enter when `button` is nil.
    package func submit(
        _ form: HTMLForm, of page: Page, typing typed: [String: String] = [:], pressing button: HTMLForm.Control? = nil
    ) async throws -> Page {
        let target = try resolve(form.action ?? page.url, on: page.url)
        let text = HTMLForm.urlEncoded(form.entries(typing: typed, pressing: button ?? form.buttons.first))
        guard form.method == "post" else {
            let path = target.prefix { $0 != "?" }
            return try await self.load(HTTPClient.Request(.get, "\(path)?\(text)"), from: page.url)
        }
        var request = HTTPClient.Request(.post, target, body: Array(text.utf8))
        request.headers["Content-Type"] = "application/x-www-form-urlencoded"
        return try await self.load(request, from: page.url)
    }

    /// The request with what a browser says of itself.
    private func browsing(_ request: HTTPClient.Request, from origin: String?) -> HTTPClient.Request {
        var request = request
        request.cookieJar = self.cookies
        if let address = self.address { request.headers["X-Forwarded-For"] = address }
        request.headers["Accept"] = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
        request.headers["Accept-Language"] = "en"
        request.headers["User-Agent"] = "Mozilla/5.0 (Linux; Android 14; Mobile) LatchkeyTest/1.0"
        request.headers["Sec-Fetch-Mode"] = "navigate"
        request.headers["Sec-Fetch-Dest"] = "document"
        request.headers["Sec-Fetch-Site"] = origin == nil ? "none" : "same-origin"
        return request
    }

    private func load(_ request: HTTPClient.Request, from origin: String? = nil) async throws -> Page {
        var request = self.browsing(request, from: origin)
        if request.method == .post, let origin { request.headers["Origin"] = try serializedOrigin(of: origin) }
        for _ in 0...Self.redirectLimit {
            let response = try await self.client.send(request)
            guard (301...308).contains(response.status), let location = response.headers["Location"] else {
                return Page(
                    url: request.url, status: response.status, headers: response.headers,
                    content: HTMLPage(response.text), source: response.text)
            }
            request.url = try resolve(location, on: request.url)
            if response.status < 307, request.method == .post {
                request.method = .get
                request.body = nil
                request.headers["Content-Type"] = nil
                request.headers["Origin"] = nil
            }
        }
        throw Stuck(description: "more than \(Self.redirectLimit) redirections, the last to \(request.url)")
    }
}

private func resolve(_ address: String, on base: String) throws -> String {
    guard let base = URL(string: base), let url = URL(string: address, relativeTo: base) else {
        throw Phone.Stuck(description: "the page says an address that is none: \(address)")
    }
    return url.absoluteString
}

private func serializedOrigin(of url: String) throws -> String {
    guard let parts = URLComponents(string: url), let scheme = parts.scheme, let host = parts.encodedHost else {
        throw Phone.Stuck(description: "the page has an address without a host: \(url)")
    }
    return parts.port.map { "\(scheme)://\(host):\($0)" } ?? "\(scheme)://\(host)"
}
