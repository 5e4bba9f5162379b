import Entitlement

/// Leads on to the provider: by itself, and with a button where that does not work.
struct HandOverPage: Page {
    static let template = "hand-over"

    let view: LoginView
    let address: String
    let form: ProviderForm?

    var values: [String: TemplateValue] {
        [
            "step": .number(3),
            "isForBoxes": .flag(self.view.attempt.origin == .boxList),
            "brand": .foreign(ForeignText(self.view.requestor.name)),
            "provider": .foreign(ForeignText(self.view.mvpd.displayName)),
            "address": .text(self.address),
            "isForm": .flag(self.form != nil),
            "fields": .list((self.form?.fields ?? []).map { ["name": .text($0.name), "value": .text($0.value)] }),
        ]
    }
}
