import Clientless
import Entitlement

extension SecondScreen {
    /// The sign-in of a provider whose accounts are this server's own, with the name of the account that the browser
    /// keeps.
    func signInPage(_ view: LoginView, _ token: String, _ visit: Visit) -> Page {
        let known = RememberedAccount.of(visit.request, isSecure: visit.isSecure).flatMap {
            // A name that cannot be shown as it is would be sent as another.
            $0.mvpd == view.mvpd.id && ForeignText($0.account)?.text == $0.account ? $0.account : nil
        }
        let brand = view.attempt.origin == .boxList ? nil : view.requestor.id
        let logo = self.settings.logos.picture(of: view.mvpd.id, for: view.requestor.id)
        let own: TemplateValues = [
            "step": .number(3),
            "isForBoxes": .flag(brand == nil),
            "remembers": .flag(known != nil),
            "codeWord": .html(CodeWord.html(view.record.code)),
            "brand": .foreign(ForeignText(view.requestor.name)),
            "provider": .foreign(ForeignText(view.mvpd.displayName)),
            "attempt": .text(token),
            "account": .text(known ?? ""),
            "problem": .absent,
            "formToken": self.formToken(.signIn, visit),
            "declineToken": self.formToken(.decline, visit),
        ]
        let challenge = self.party == nil ? nil : self.domain.passkeys.challenge(for: view)
        let passkey = PasskeyPages(screen: self).question(challenge, .passkeySignIn, visit)
        return Page(
            "sign-in", of: brand, mayBeCompressed: true,
            ProviderMark.values(of: view.mvpd, logo).filled(by: own).filled(by: passkey))
    }
}
