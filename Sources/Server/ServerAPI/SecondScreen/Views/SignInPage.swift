import Clientless
import Entitlement

/// The sign-in of a provider whose accounts are this server's own.
struct SignInPage: Page {
    static let template = "sign-in"
    var mayBeCompressed: Bool { true }

    let view: LoginView
    let logo: Picture?
    let token: String
    /// The text typed before, so that only the password has to be typed again.
    var account: String = ""
    /// Whether the viewer wants this browser to keep the account's name.
    var remembers = false
    var problem: TemplateValue = .absent
    let formToken: String
    let declineToken: String
    /// The question for a passkey; `nil` when there are none.
    var passkey: PasskeyQuestion?

    var ownBrand: RequestorID? { self.view.attempt.origin == .boxList ? nil : self.view.requestor.id }

    var values: TemplateValues {
        let own: TemplateValues = [
            "step": .number(3),
            "isForBoxes": .flag(self.ownBrand == nil),
            "remembers": .flag(self.remembers),
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
        return ProviderMark(self.view.mvpd, self.logo).values.filled(by: own).filled(by: ofPasskey)
    }
}
