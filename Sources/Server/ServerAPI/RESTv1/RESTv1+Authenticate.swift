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
                return .later { await self.authenticate(call) }
            }
        }
    }

    private func authenticate(_ call: Call) async -> HTTPResponse {
        do {
            return try await self.beginLogin(call)
        } catch let error as WireError {
            // A person is looking at this, unless a program said otherwise.
            return call.preference.isForPeople ? Answer.page(error) : Answer.error(error, call.format)
        } catch let error as EntitlementError {
            return self.refused(call, error)
        } catch {
            return self.refused(call, EntitlementError(.internal, detail: "\(error)"))
        }
    }

    private func beginLogin(_ call: Call) async throws -> HTTPResponse {
        let parameters = AuthenticateParameters(rawQuery: call.request.rawQuery, call.parameters)
        let address = try self.admitGuess(call)
        let (code, requestor, mvpd, redirect) = try self.parts(of: parameters)
        // A login belongs to the browser that began it, and goes on at the server's own pages.
        let isSecure = self.settings.isSecure(call.request)
        let browser = BrowserSession.of(call.request, isSecure: isSecure)
        do throws(EntitlementError) {
            guard let code else { throw EntitlementError(.codeUnknown) }
            let start = try await self.pairing.beginLogin(
                LoginRequest(
                    code: code, requestor: requestor.id, mvpd: mvpd,
                    origin: .foreignPage(redirectURL: redirect), browser: browser.secret),
                now: call.now)
            let target =
                switch (start.handover, start.step) {
                case (_, .done): redirect
                case (_, .confirm): ScreenPath.confirm(start.token)
                case (.redirect(let url), _): url
                case (.signInPage, _), (.accepted, _): ScreenPath.signIn(start.token)
                }
            let response = HTTPResponse.redirect(to: target).adding("Cache-Control", Answer.uncached)
            return browser.isNew ? response.adding("Set-Cookie", browser.cookie(isSecure: isSecure)) : response
        } catch {
            switch error.code {
            case .codeUnknown, .codeUsed, .codeDeclined:
                // One sentence for all of them: whoever guesses learns nothing from a miss.
                self.countGuess(address, now: call.now)
                throw WireError.invalid("reg_code")
            case .unknownProvider: throw WireError.invalid("mso_id")
            case .providerUnavailable: throw WireError(.internalServerError, "The provider could not be reached")
            default: throw error
            }
        }
    }

    /// The parameters, in the order in which a missing one is told.
    ///
    /// - Returns: no code for a text that cannot be one; it is treated like one that is unknown.
    private func parts(
        of parameters: AuthenticateParameters
    ) throws(WireError) -> (code: RegistrationCodeText?, requestor: Requestor, mvpd: MVPDID, redirect: String) {
        let code = try parameters.required("reg_code")
        guard let requestorName = parameters["requestor_id"] ?? parameters["requestor"]
        else { throw .missing("requestor_id") }
        let mvpdName = try parameters.required("mso_id")
        let domain = try parameters.required("domain_name")
        let redirect = try parameters.required("redirect_url")
        guard let id = RequestorID(requestorName), let requestor = self.pairing.catalogue.requestor(id)
        else { throw .invalid("requestor") }
        guard RedirectTarget.isRegistered(domain, for: requestor) else { throw .invalid("domain_name") }
        guard RedirectTarget.isAllowed(redirect, for: requestor, allowingAny: self.settings.allowsAnyRedirect)
        else { throw .invalid("redirect_url") }
        guard let mvpd = MVPDID(mvpdName), self.pairing.catalogue.integration(id, mvpd) != nil
        else { throw .invalid("mso_id") }
        return (RegistrationCodeText(code), requestor, mvpd, redirect)
    }
}
