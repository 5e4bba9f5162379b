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
struct DonePage: BrandedPage {
    static let template = "done"

    let view: LoginView
    /// Whether the box was told; `nil` when that is not known.
    let handover: Handover?
    let token: String

    var requestor: Requestor { self.view.requestor }

    var values: [String: TemplateValue] {
        [
            "brand": .foreign(ForeignText(self.view.requestor.name)),
            "provider": .foreign(ForeignText(self.view.mvpd.displayName)),
            "isReady": .flag(self.handover == .told),
            "answerPath": self.handover == .waiting ? .text(ScreenPath.answer(self.token)) : .absent,
        ]
    }
}
