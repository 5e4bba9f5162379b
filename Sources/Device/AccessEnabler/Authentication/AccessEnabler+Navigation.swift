import Clientless
import Observability

// Logins and logouts in a browser (access-enabler 7.10, 8.4 to 8.6, 9.7).
extension AccessEnabler {
    /// Opens the login page of the code that was asked for.
    func navigate() async {
        let attempt = self.flow.attempt
        guard let code = self.login.code, let facts = self.login.provider, let configuration = self.configuration
        else { return await self.advance(.failed(code: AccessEnablerError.genericAuthentication)) }
        let isSecure = facts.requiresSecureBrowser
        let redirect = isSecure ? self.secureRedirect : RedirectURL.adobePass
        let page = LoginPage(
            code: code.code, mvpdID: facts.id, domain: configuration.domain, redirect: redirect,
            data: self.login.request.data, forcesLogin: self.login.request.forced)
        let url: String
        do {
            url = try await self.call(about: facts) { (backend, caller) throws(EntitlementError) in
                backend.authenticationURL(page, as: caller)
            }
        } catch {
            self.reportDevice(error)
            return await self.advance(.failed(code: AccessEnablerError.genericAuthentication), of: attempt)
        }
        guard attempt == self.flow.attempt else { return }
        self.open(
            NavigationRequest(
                url: url, purpose: .authentication, isVisible: true, secureBrowserRequired: isSecure,
                completionURLPrefix: redirect))
    }

    private var secureRedirect: String {
        self.settings.customScheme.map { "\($0)://adobe.com" } ?? RedirectURL.adobePass
    }

    /// Hands the page to the application, or to the presenter where a secure browser is needed and the application
    /// leaves it to the library (access-enabler 7.3, D-42).
    func open(_ request: NavigationRequest) {
        self.navigation = Navigation(
            purpose: request.purpose, completionURLPrefix: request.completionURLPrefix, cancellation: Cancellation())
        if request.secureBrowserRequired, !self.options.handlesSecureBrowser,
            let presenter = self.settings.userAgentPresenter
        {
            self.mailbox.run { await presenter.open(request.url) }
        } else {
            self.report(.navigate(request))
        }
    }

    /// `handleExternalURL`.
    func endNavigation(_ url: String, _ reply: Reply<AuthenticationOutcome>?) async {
        guard let navigation = self.navigation, navigation.isEnded(by: url) else {
            self.logger.debug("[AccessEnabler] a URL that ends no navigation was ignored")
            reply?(.notAuthenticated(code: AccessEnablerError.genericAuthentication))
            return
        }
        self.navigation = nil
        switch navigation.purpose {
        case .logout:
            navigation.cancellation.cancel()
            reply?(.notAuthenticated(code: AccessEnablerError.userNotAuthenticated))
        case .authentication:
            if let reply { self.login.replies.append(reply) }
            await self.advance(.navigationEnded)
        }
    }

    /// Fetches the token of a login that ended in the browser.
    func retrieveSession(_ attempt: Int) async {
        guard let code = self.login.code else { return }
        let poll = PollingSchedule.Poll(pause: .zero, hold: nil, timeout: .seconds(20))
        do {
            let answer = try await self.call(about: self.login.provider) { (backend, caller) throws(EntitlementError) in
                try await backend.session(code.code, poll, as: caller)
            }
            guard attempt == self.flow.attempt else { return }
            if case .signedIn(let session) = answer.verdict {
                self.login.session = session
                return await self.advance(.token)
            }
            self.report(AdvancedStatus("N130", .error))
        } catch {
            guard attempt == self.flow.attempt else { return }
            self.reportDevice(error)
        }
        await self.advance(.failed(code: AccessEnablerError.genericAuthentication), of: attempt)
    }
}
