import Lifecycle
import Observability

// Logins and logouts in a browser (access-enabler 7.10, 8.4 to 8.6, 9.7).
extension AccessEnabler {
    /// The login page of the code that was asked for.
    func navigate(_ step: LoginEffect) async -> Finding {
        guard let code = step.carried.code, let facts = step.carried.provider else { return Finding(failed: nil) }
        let isSecure = facts.requiresSecureBrowser
        let redirect = self.redirect(isSecure: isSecure)
        do {
            let server = try await self.server(about: facts, step.configuration)
            let url = server.authenticationURL(
                code.code, mvpdID: facts.id, domain: step.configuration.domain, redirect: redirect, step.request)
            var finding = Finding(nil)
            finding.page = NavigationRequest(
                url: url, purpose: .authentication, isVisible: true, secureBrowserRequired: isSecure,
                completionURLPrefix: redirect)
            return finding
        } catch {
            return Finding(failed: error)
        }
    }

    /// The redirect that ends a navigation: the application's own scheme where the page is in the system's browser.
    func redirect(isSecure: Bool) -> String {
        guard isSecure, let scheme = self.settings.customScheme else { return RedirectURL.adobePass }
        return "\(scheme)://adobe.com"
    }

    /// Hands the page to the application, or to the presenter where a secure browser is needed and the application
    /// leaves it to the library (access-enabler 7.3, D-42).
    func open(_ request: NavigationRequest) {
        self.navigation = (request, StopSignal())
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
        guard let navigation = self.navigation, isCompletion(url, of: navigation.request.completionURLPrefix) else {
            self.logger.debug("[AccessEnabler] a URL that ends no navigation was ignored")
            return reply(.notAuthenticated(code: AccessEnablerError.genericAuthentication))
        }
        self.navigation = nil
        switch navigation.request.purpose {
        case .logout:
            navigation.cancellation.give()
            reply(.notAuthenticated(code: AccessEnablerError.userNotAuthenticated))
        case .authentication:
            if let reply { self.login.witnesses.append(reply) }
            await self.advance(.navigationEnded)
        }
    }

    func retrieveSession(_ step: LoginEffect) async -> Finding {
        guard let code = step.carried.code else { return Finding(failed: nil) }
        let poll = PollingSchedule.Poll(pause: .zero, hold: nil, timeout: .seconds(20))
        do {
            let answer = try await self.server(about: step.carried.provider, step.configuration)
                .session(code.code, poll)
            if case .signedIn(let session) = answer.verdict { return Finding(.token) { $0.session = session } }
            return Finding(failed: nil, reporting: AdvancedStatus("N130", .error))
        } catch {
            return Finding(failed: error)
        }
    }
}
