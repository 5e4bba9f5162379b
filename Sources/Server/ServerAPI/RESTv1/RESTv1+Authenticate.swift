import Clientless
import Entitlement
import HTTPServer

// `authenticate`: a programmer's page sends the viewer to sign in (rest-v1 13.1).
extension RESTv1 {
    private static let redirectURL = APIField.required(
        "redirect_url", .text(1...4096),
        "The last address of the browser, of a registered domain or scheme. Last of all; it may stand there unencoded.")

    private static let fields: [APIField] = [
        .required("reg_code", .text(1...32), "The code the viewer typed. First of all."),
        .required("requestor_id", APIField.requestorName, "The channel brand; `requestor` is the same."),
        .required("mso_id", APIField.mvpdName, "The provider the viewer picked."),
        .required("domain_name", .text(1...253), "A registered domain of the requestor."),
        .optional("noflash", .text(0...16), "Ignored."), .optional("no_iframe", .text(0...16), "Ignored."),
        .genericData, .format, redirectURL,
    ]

    static let authenticateEndpoints: [Endpoint<RESTv1>] = [
        Endpoint(
            [
                (.get, "/api/v1/authenticate", "authenticate"),
                (.post, "/api/v1/authenticate", "authenticateByForm"),
                (.get, "/adobe-services/authenticate/saml", "authenticateOfSDK"),
                (.post, "/adobe-services/authenticate/saml", "authenticateOfSDKByForm"),
                (.get, "/adobe-services/1.0/authenticate/saml", "authenticateOfSDK1"),
                (.post, "/adobe-services/1.0/authenticate/saml", "authenticateOfSDK1ByForm"),
            ], name: "authenticate", .signIn, "Send the viewer to sign in",
            """
            A browser comes here from the page that took the code. It ends at `redirect_url`, unchanged, however the \
            login goes; `checkauthn/{code}` tells. Where a browser says that another site sent the viewer, and neither \
            `Origin` nor `Referer` is of a registered domain, the viewer is asked first.
            """,
            section: "rest-v1 13.1", requestor: .nowhere, limits: .guessingBrowsers, bodyLimit: .page, fields: fields,
            answers: [
                APIAnswer(
                    200,
                    "A page that sends the browser on by itself, if the provider wants a form; or that asks first.",
                    [.html], headers: [.cookie]),
                APIAnswer(
                    302,
                    "To the provider, or to the page that asks whether this is the viewer's box; back, where a compatible "
                        + "requestor does not have the provider.",
                    headers: [.location, .cookie]),
                .pageOrError(400, "A parameter is missing or of no use; the code may be over or used."),
                .foreignOrigin,
                .pageOrError(
                    429, "Too many wrong codes, or calls, from this address.", headers: [.retryAfter]),
                .pageOrError(500, "The provider could not be reached, or the server failed."),
                Callbacks.storeless,
            ], errors: .people, handler: .open { try await $0.beginLogin($1) })
    ]

    /// The request to `authenticate`. `code` is `nil` when the text is not a code, which is treated as an unknown code;
    /// `mvpd` is `nil` for one that the requestor does not have.
    private typealias LoginParameters = (
        code: RegistrationCodeText?, requestor: Requestor, mvpd: MVPDID?, redirect: String, person: TrialIdentity?
    )

    func beginLogin(_ call: Call) async throws -> HTTPResponse {
        if CrossSiteRequest(call.request, self.context.origins) != nil { return try self.askWhetherToGoOn(call) }
        let parameters = AuthenticateParameters(rawQuery: call.request.rawQuery, call.parameters.undeclared)
        let asked = try self.read(parameters)
        // Deployed clients read the direct way back as "not a participating provider".
        guard let mvpd = asked.mvpd else { return Answer.redirect(to: asked.redirect) }
        // A login belongs to the browser that began it, and goes on at the server's own pages.
        let isSecure = self.settings.isSecure(call.request)
        let browser = BrowserSession.of(call.request, isSecure: isSecure)
        do throws(EntitlementError) {
            guard let code = asked.code else { throw EntitlementError(.codeUnknown) }
            let start = try await self.domain.logins.begin(
                LoginRequest(
                    code: code, requestor: asked.requestor.id, mvpd: mvpd,
                    origin: .foreignPage(redirectURL: asked.redirect), browser: browser.identity,
                    callback: self.settings.callback(of: mvpd), person: asked.person,
                    asksAnew: SecondScreen.asksAnew(call.request, isSecure: isSecure)),
                by: self.guesser(of: call), now: call.now)
            let response = Answer.redirect(to: Self.target(of: start))
            return browser.isNew ? response.adding("Set-Cookie", browser.cookie(isSecure: isSecure)) : response
        } catch {
            return try Self.refusal(error, returningTo: asked.redirect, call)
        }
    }

    private static func refusal(
        _ error: EntitlementError, returningTo redirect: String, _ call: Call
    ) throws -> HTTPResponse {
        switch error.code {
        case .codeUnknown, .codeUsed, .codeDeclined:
            // One sentence for all of them: a guesser learns nothing from a miss.
            let error = WireError.invalid("reg_code")
            guard call.preference.isForPeople else { throw error }
            return Answer.page(error, content: ErrorPage.ofUnusableCode(error, returningTo: redirect))
        case .unknownProvider: throw WireError.invalid("mso_id")
        case .providerUnavailable: throw WireError(.internalServerError, "The provider could not be reached")
        case .unknownRequestor, .loginUnknown, .notAuthenticated, .authenticationExpired, .authenticationRevoked,
            .notAuthorized, .authorizationMissing, .authorizationExpired, .tooManyResources, .foreignToken,
            .deviceMismatch, .trialExhausted, .passiveNotPossible, .platformRefused, .tooManyAttempts,
            .storeUnavailable, .internal:
            throw error
        }
    }

    /// The page for a viewer whom an unknown site sent: a login looks a code up, and a wrong code counts against the
    /// viewer. The link leads to the same call, which the browser then says to come from this server.
    private func askWhetherToGoOn(_ call: Call) throws(WireError) -> HTTPResponse {
        guard call.preference.isForPeople else { throw .forbidden }
        let body = String(decoding: call.request.body, as: UTF8.self)
        let fields = [call.request.rawQuery, body].filter { !$0.isEmpty }.joined(separator: "&")
        return Answer.plainPage(ErrorPage.ofUnknownSite(goingOnAt: "?\(fields)"))
    }

    /// The next address of the browser: the provider's, or a page of this server (rest-v1 13.1, 25).
    private static func target(of start: LoginStart) -> String {
        switch start.handover {
        case .accepted: ScreenPath.confirm(start.token)
        case .redirect(let url): url
        case .form: ScreenPath.handOver(start.token)
        case .signInPage: ScreenPath.signIn(start.token)
        }
    }

    /// The parameters, in the order in which a missing one is told.
    private func read(_ parameters: AuthenticateParameters) throws(WireError) -> LoginParameters {
        let code = try parameters.required("reg_code")
        let requestorName = try parameters.required("requestor_id", or: "requestor")
        let mvpdName = try parameters.required("mso_id", or: "mvpd")
        let domain = try parameters.required("domain_name")
        let redirect = try parameters.required("redirect_url")
        guard let id = RequestorID(requestorName), let requestor = self.domain.catalogue.requestor(id)
        else { throw .invalid("requestor") }
        guard RedirectTarget.isRegistered(domain, for: requestor) else { throw .invalid("domain_name") }
        guard RedirectTarget.isAllowed(redirect, for: requestor, allowingAny: self.settings.allowsAnyRedirect)
        else { throw .invalid("redirect_url") }
        guard let named = MVPDID(mvpdName) else { throw .invalid("mso_id") }
        let mvpd = self.domain.catalogue.integration(id, named) == nil ? nil : named
        guard mvpd != nil || requestor.strictness == .compatible else { throw .invalid("mso_id") }
        let trial = mvpd.flatMap { self.domain.catalogue.mvpd($0)?.trial }
        let person = try self.person(trying: trial, parameters["generic_data"])
        return (RegistrationCodeText(code), requestor, mvpd, redirect, person)
    }
}

/// The parameters of `authenticate`, read as the pages of deployed programmers write them (rest-v1 13.1).
struct AuthenticateParameters: Sendable {
    /// Names that may follow `redirect_url` without being a part of it.
    private static let known: Set<String> = [
        "reg_code", "requestor_id", "requestor", "mso_id", "mvpd", "domain_name", "redirect_url", "noflash",
        "no_iframe", "flash", "generic_data", "client_type", "client_version", "format", "ap_vi", "deviceId",
        "device_info", "deviceType", "deviceUser", "appId", "access_token",
    ]
    /// The text that `&reg_code=` becomes where `&reg` is read as an entity.
    private static let entityMark = "\u{AE}_code="

    private var values: [String: String] = [:]

    /// - Parameters:
    ///   - rawQuery: the query, undecoded.
    ///   - parameters: query and body together, decoded.
    init(rawQuery: String, _ parameters: HTTPParameters) {
        for pair in parameters.pairs { self.values[pair.name] = pair.value }
        if let redirect = Self.unencodedRedirect(rawQuery) { self.values["redirect_url"] = redirect }
        if self["reg_code"] == nil { self.recoverCode() }
    }

    /// The value, unless it is missing or empty.
    subscript(name: String) -> String? {
        guard let value = self.values[name], !value.isEmpty else { return nil }
        return value
    }

    /// - Parameter other: what some pages call it.
    func required(_ name: String, or other: String? = nil) throws(WireError) -> String {
        guard let value = self[name] ?? other.flatMap({ self[$0] }) else { throw .missing(name) }
        return value
    }

    /// Everything behind `redirect_url=` when a page did not encode it: its value has a bare `://`, and parameters
    /// follow that only the redirect's own query explains.
    private static func unencodedRedirect(_ query: String) -> String? {
        let pairs = query.split(separator: "&", omittingEmptySubsequences: false)
        guard let index = pairs.firstIndex(where: { $0.hasPrefix("redirect_url=") }) else { return nil }
        let value = pairs[index].dropFirst("redirect_url=".count)
        let followers = pairs[(index + 1)...].map { pair in String(pair.prefix { $0 != "=" }) }
        guard value.contains("://"), followers.contains(where: { !$0.isEmpty && !self.known.contains($0) })
        else { return nil }
        return String(query[value.startIndex...])
    }

    /// Cuts a code off the value it was glued to, which may be the redirect's: what is left of it is checked as any.
    private mutating func recoverCode() {
        for (name, value) in self.values {
            guard let mark = value.firstRange(of: Self.entityMark) else { continue }
            self.values[name] = String(value[..<mark.lowerBound])
            self.values["reg_code"] = String(value[mark.upperBound...])
            return
        }
    }
}
