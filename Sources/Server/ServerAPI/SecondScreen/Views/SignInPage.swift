import Clientless
import Entitlement

/// The sign-in of a provider whose accounts are this server's own.
struct SignInPage: BrandedPage {
    static let template = "sign-in"

    let view: LoginView
    let token: String
    /// What was typed before, so that only the password has to be typed again.
    var account: String = ""
    var problem: TemplateValue = .absent
    let formToken: String
    let declineToken: String
    /// What a passkey is asked for with; `nil` where there are none.
    var passkey: PasskeyQuestion?

    var requestor: Requestor { self.view.requestor }

    var values: [String: TemplateValue] {
        let own: [String: TemplateValue] = [
            "step": .number(3),
            "codeWord": .html(CodeWord.html(self.view.record.code)),
            "brand": .foreign(ForeignText(self.view.requestor.name)),
            "provider": .foreign(ForeignText(self.view.mvpd.displayName)),
            "attempt": .text(self.token),
            "account": .text(self.account),
            "problem": self.problem,
            "formToken": .text(self.formToken),
            "declineToken": .text(self.declineToken),
        ]
        let ofPasskey = PasskeyQuestion.values(of: self.passkey)
        return ProviderMark(self.view.mvpd).values.merging(own) { own, _ in own }.merging(ofPasskey) { own, _ in own }
    }
}
