import Clientless
import Observability

// `logout` (access-enabler 7.16, 9.7, 9.8).
extension AccessEnabler {
    func logOut() async -> LogoutOutcome {
        // What the server call needs is copied before everything is cleared.
        let signIn = await self.signIn()
        let code = self.login.code
        let facts = signIn?.facts ?? self.login.provider
        let replies = self.login.replies
        let authorizations = self.login.authorizations
        await self.advance(.logout)
        self.login = Login()
        self.preselected = nil
        self.forgetWhatWasRead()
        do {
            self.generation = try await self.vault.update { image in
                image.clearTokens()
                return image.generation
            }
        } catch {
            self.logger.error("[AccessEnabler] tokens could not be cleared", [.error: .text("\(error)")])
        }
        let isOfPlatform = signIn?.stored.origin == .platform
        if isOfPlatform { self.report(AdvancedStatus("VSA203", .info)) }
        if self.gate == .open {
            if let signIn { await self.endOnServer(signIn) }
            if let code { await self.withdraw(code, about: facts) }
        }
        let outcome = self.failAuthentication(AccessEnablerError.userNotAuthenticated)
        for reply in replies { reply(outcome) }
        for (request, reply) in authorizations {
            self.fail(request, AccessEnablerError.userNotAuthenticated, "", reply)
        }
        return LogoutOutcome(requiresSystemSignOut: isOfPlatform)
    }

    /// A failure changes nothing of the result (access-enabler D-18).
    private func endOnServer(_ signIn: CurrentSignIn) async {
        let end = try? await self.call(about: signIn.facts) { (backend, caller) throws(EntitlementError) in
            try await backend.logout(token: signIn.token.xml, as: caller)
        }
        guard case .page(let url) = end, self.settings.interaction == .userAgent else { return }
        let prefix =
            signIn.facts.requiresSecureBrowser
            ? self.settings.customScheme.map { "\($0)://adobe.com" } ?? RedirectURL.adobePass : RedirectURL.adobePass
        self.open(
            NavigationRequest(
                url: url, purpose: .logout, isVisible: false,
                secureBrowserRequired: signIn.facts.requiresSecureBrowser, completionURLPrefix: prefix))
        guard let navigation = self.navigation else { return }
        let (clock, limit) = (self.settings.clock, self.settings.logoutNavigationTimeout)
        await navigation.cancellation.guarding { try? await clock.sleep(for: limit) }
        self.navigation = nil
    }
}
