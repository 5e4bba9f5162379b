import Entitlement

/// The box is signed in.
struct DonePage: Page {
    static let template = "done"

    let view: LoginView

    var values: [String: TemplateValue] {
        [
            "brand": .foreign(ForeignText(self.view.requestor.name)),
            "provider": .foreign(ForeignText(self.view.mvpd.displayName)),
        ]
    }
}
