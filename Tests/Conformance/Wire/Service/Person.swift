import FoundationEssentials
import HTTPClient
import RealPrograms

/// Somebody at a programmer's page, played as scripts in the wild do: by cookies, redirections and the forms of pages.
struct Person {
    /// More pages than any way through a login has.
    private static let stepLimit = 12

    private let service: Service
    private let cookies = CookieJar()

    init(_ service: Service) { self.service = service }

    /// The address that begins a login (rest-v1 13.1).
    static func loginTarget(
        _ code: String, of profile: Profile, requestor: String, mvpd: String, redirectURL: String? = nil
    ) -> String {
        let parameters = query([
            "reg_code": code, "requestor_id": requestor, "mso_id": mvpd, "domain_name": profile.domain,
            "noflash": "true", "no_iframe": "true", "redirect_url": redirectURL ?? profile.redirectURL,
        ])
        return "/api/v1/authenticate?\(parameters)"
    }

    /// Goes from the programmer's page to the provider's, signs in, and follows the way back.
    /// - Parameter mvpd: the provider in place of the first or the other one.
    /// - Throws: ``GaveUp`` when the way does not lead to the redirect URL, exactly as it was given.
    func signIn(_ code: String, requestor: String, atOther isOther: Bool = false, mvpd: String? = nil) async throws {
        let profile = self.service.profile
        let account = isOther ? profile.otherAccount : profile.account
        let target = Person.loginTarget(
            code, of: profile, requestor: requestor, mvpd: mvpd ?? (isOther ? profile.otherMVPD : profile.mvpd))
        var request = HTTPClient.Request(.get, self.service.url + target)
        for _ in 0..<Self.stepLimit {
            let response = try await self.load(request)
            if let location = response.headers["Location"], [301, 302, 303, 307].contains(response.status) {
                if location == profile.redirectURL { return }
                request = HTTPClient.Request(.get, try Self.resolve(location, on: request.url))
                continue
            }
            guard response.status == 200, let next = try Self.answer(to: response, from: request.url, as: account)
            else { throw GaveUp(description: "nothing to go on with: \(HTMLPage(response.text).text.prefix(300))") }
            request = next
        }
        throw GaveUp(description: "no end after \(Self.stepLimit) pages")
    }

    private func load(_ request: HTTPClient.Request) async throws -> HTTPClient.Response {
        var request = request
        request.timeout = .seconds(120)
        request.cookieJar = self.cookies
        request.headers["Accept"] = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
        return try await self.service.client.send(request)
    }

    /// What a page asks for: the account and the password, whether to go on, or to be passed on.
    /// - Returns: `nil` when there is no such form.
    private static func answer(
        to response: HTTPClient.Response, from url: String, as account: Profile.Account
    ) throws -> HTTPClient.Request? {
        for form in HTMLPage(response.text).forms {
            var typed: [String: String] = [:]
            var button = form.buttons.first
            if let password = form.field(ofType: "password"),
                let name = form.field(ofType: "text") ?? form.field(ofType: "email")
            {
                typed = [name.name: account.account, password.name: account.password]
            } else if let confirm = form.button(named: "decision", value: "confirm") {
                button = confirm
            } else if form.field(named: "SAMLRequest") == nil, form.field(named: "SAMLResponse") == nil {
                continue
            }
            let body = HTMLForm.urlEncoded(form.entries(typing: typed, pressing: button))
            var request = HTTPClient.Request(
                .post, try self.resolve(form.action ?? url, on: url), body: Array(body.utf8))
            request.headers["Content-Type"] = "application/x-www-form-urlencoded"
            return request
        }
        return nil
    }

    private static func resolve(_ address: String, on base: String) throws -> String {
        guard let base = URL(string: base), let url = URL(string: address, relativeTo: base) else {
            throw GaveUp(description: "an address that is none: \(address)")
        }
        return url.absoluteString
    }
}
