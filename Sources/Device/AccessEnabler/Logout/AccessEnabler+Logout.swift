import Lifecycle
import Observability

// `logout` (access-enabler 7.16, 9.7, 9.8).
extension AccessEnabler {
    func logOut() async -> LogoutOutcome {
        // The server call needs the sign-in, which is copied before everything is cleared.
        let signIn = await self.signIn()
        let login = self.login
        await self.advance(.logout)
        self.login = Login()
        self.preselected = nil
        self.forgetWhatWasRead()
        var failure: EntitlementError?
        do {
            self.generation = try await self.vault.update { image in
                image.clearTokens()
                return image.generation
            }
        } catch {
            self.logger.error("[AccessEnabler] tokens could not be cleared", [.error: .text("\(error)")])
            failure = error
        }
        var page: String?
        let isOfPlatform = signIn?.stored.origin == .platform
        if isOfPlatform { self.report(AdvancedStatus("VSA203", .info)) }
        // Also where the tokens are still there: the server honours this one no longer.
        if self.gate == .open, let signIn { page = await self.endOnServer(signIn) }
        // A login goes on while the configuration cannot be renewed (access-enabler D-54), at a server of its own.
        if let code = login.attempt.code { await self.withdraw(code, about: login.attempt.provider) }
        // A box that keeps its tokens is not signed out, and must not say so.
        if let failure { self.report(AdvancedStatus("500", .error, details: failure.detail)) }
        let code =
            failure == nil ? AccessEnablerError.userNotAuthenticated : AccessEnablerError.internalAuthentication
        let outcome = self.failAuthentication(code)
        for reply in login.replies + login.witnesses { reply(outcome) }
        for request in login.authorizations { self.fail(request, AccessEnablerError.userNotAuthenticated) }
        return LogoutOutcome(
            requiresSystemSignOut: isOfPlatform, areTokensCleared: failure == nil, providerLogoutURL: page)
    }

    /// Ends the session at the server, and has the application walk the provider's logout page, hidden, where the
    /// server names one (access-enabler 9.7 step 4). A provider without such a page is told by the server itself, and
    /// nothing is opened. A failure changes nothing of the result (D-18).
    /// - Returns: the page, where a browser elsewhere has to open it.
    private func endOnServer(_ signIn: CurrentSignIn) async -> String? {
        let isSecure = signIn.facts.requiresSecureBrowser
        let redirect = self.settings.interaction == .userAgent ? self.redirect(isSecure: isSecure) : nil
        let page = try? await self.server(about: signIn.facts)
            .logout(token: signIn.token.xml, mvpdID: signIn.facts.id, redirect: redirect)
        guard let url = page else { return nil }
        guard let redirect else { return url }
        self.open(
            NavigationRequest(
                url: url, purpose: .logout, isVisible: false, secureBrowserRequired: isSecure,
                completionURLPrefix: redirect))
        guard let navigation = self.navigation else { return nil }
        let (clock, limit) = (self.settings.clock, self.settings.logoutNavigationTimeout)
        await navigation.cancellation.guarding { try? await clock.sleep(for: limit) }
        self.navigation = nil
        return nil
    }
}
