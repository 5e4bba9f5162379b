import Entitlement

/// Says what this service is, to a visitor without a code.
struct LandingPage: Page {
    static let template = "landing"

    var values: [String: TemplateValue] { [:] }
}

/// The viewer said no, and the box was told.
struct DeclinedPage: Page {
    static let template = "declined"

    var values: [String: TemplateValue] { [:] }
}

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
