import Clientless
import Entitlement
import HTTPServer

// `authenticate`: a programmer's page sends the viewer to sign in (rest-v1 13.1).
extension RESTv1 {
    func addAuthenticationRoutes(to router: inout Router) {
        let paths = [
            "/api/v1/authenticate", "/adobe-services/authenticate/saml", "/adobe-services/1.0/authenticate/saml",
        ]
        for path in paths {
            // Not throttled: a person's browser comes once (rest-v1 24.2).
            router.on(.get, .post, path: path, name: "authenticate", group: self.unthrottled) { request in
                let call = Call(request, now: self.now())
                return .later { await self.shownToPeople(call) { try await self.beginLogin(call) } }
            }
        }
    }

    /// The answer of an endpoint a browser navigates to: a person looks at its errors, unless a program said otherwise.
    func shownToPeople(_ call: Call, _ answer: () async throws -> HTTPResponse) async -> HTTPResponse {
        do {
            return try await answer()
        } catch {
            let error = self.wireError(error, call, .authentication)
            return call.preference.isForPeople ? Answer.page(error) : Answer.error(error, call.format)
        }
    }

    /// What `authenticate` was asked for. No code stands for a text that cannot be one; it is treated like one that is
    /// unknown.
    private struct LoginParameters {
        let code: RegistrationCodeText?
        let requestor: Requestor
        let mvpd: MVPDID
        let redirect: String
        let person: TrialIdentity?
    }

    private func beginLogin(_ call: Call) async throws -> HTTPResponse {
        let parameters = AuthenticateParameters(rawQuery: call.request.rawQuery, call.parameters)
        let address = try self.admitGuess(call)
        let asked = try self.read(parameters)
        // A login belongs to the browser that began it, and goes on at the server's own pages.
        let isSecure = self.settings.isSecure(call.request)
        let browser = BrowserSession.of(call.request, isSecure: isSecure)
        do throws(EntitlementError) {
            guard let code = asked.code else { throw EntitlementError(.codeUnknown) }
            let start = try await self.domain.logins.begin(
                LoginRequest(
                    code: code, requestor: asked.requestor.id, mvpd: asked.mvpd,
                    origin: .foreignPage(redirectURL: asked.redirect), browser: browser.secret, person: asked.person),
                now: call.now)
            let response = HTTPResponse.redirect(to: Self.target(of: start, orElse: asked.redirect))
                .adding("Cache-Control", Answer.uncached)
            return browser.isNew ? response.adding("Set-Cookie", browser.cookie(isSecure: isSecure)) : response
        } catch {
            switch error.code {
            case .codeUnknown, .codeUsed, .codeDeclined:
                // One sentence for all of them: whoever guesses learns nothing from a miss.
                self.countGuess(address, now: call.now)
                throw WireError.invalid("reg_code")
            case .unknownProvider: throw WireError.invalid("mso_id")
            case .providerUnavailable: throw WireError(.internalServerError, "The provider could not be reached")
            case .unknownRequestor, .loginUnknown, .notAuthenticated, .authenticationExpired, .authenticationRevoked,
                .notAuthorized, .authorizationMissing, .authorizationExpired, .tooManyResources, .foreignToken,
                .deviceMismatch, .trialExhausted, .passiveNotPossible, .platformRefused, .tooManyAttempts,
                .storeUnavailable, .internal:
                throw error
            }
        }
    }

    /// Where the browser goes next: to the provider, or where a login that asks nobody has got to (rest-v1 13.1, 25).
    private static func target(of start: LoginStart, orElse redirect: String) -> String {
        switch (start.step, start.handover) {
        case (.confirm, _): ScreenPath.confirm(start.token)
        case (.done, _): redirect
        case (_, .redirect(let url)): url
        case (_, .signInPage), (_, .accepted): ScreenPath.signIn(start.token)
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
        guard let mvpd = MVPDID(mvpdName), self.domain.catalogue.integration(id, mvpd) != nil
        else { throw .invalid("mso_id") }
        let trial = self.domain.catalogue.mvpd(mvpd)?.trial
        return LoginParameters(
            code: RegistrationCodeText(code), requestor: requestor, mvpd: mvpd, redirect: redirect,
            person: try self.person(trying: trial, parameters["generic_data"]))
    }
}
