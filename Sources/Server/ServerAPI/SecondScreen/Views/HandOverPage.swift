import Entitlement

/// Leads on to the provider: by itself, and with a button if that does not work.
struct HandOverPage: Page {
    static let template = "hand-over"
    /// The page holds secrets of the login beside text that the provider, or an impostor, sent along.
    var mayBeCompressed: Bool { false }

    /// `nil` for the answer to a logout.
    private let brand: String?
    /// On the way to the viewer's list of boxes.
    private let isForBoxes: Bool
    private let provider: String
    private let address: String
    private let form: ProviderForm?

    /// On the way to a sign-in.
    init(view: LoginView, address: String, form: ProviderForm?) {
        self.brand = view.requestor.name
        self.isForBoxes = view.attempt.origin == .boxList
        self.provider = view.mvpd.displayName
        self.address = address
        self.form = form
    }

    /// On the way back to a provider that ended the viewer's session, or from one.
    /// - Parameter name: what viewers call where it leads.
    init(answering name: String, form: ProviderForm) {
        self.brand = nil
        self.isForBoxes = false
        self.provider = name
        self.address = form.address
        self.form = form
    }

    var values: TemplateValues {
        [
            "step": .number(3),
            "isLogin": .flag(self.brand != nil),
            "isForBoxes": .flag(self.isForBoxes),
            "brand": .foreign(ForeignText(self.brand ?? "")),
            "provider": .foreign(ForeignText(self.provider)),
            "address": .text(self.address),
            // Clients that read pages send the first form, with all hidden fields (rest-v1 13.3).
            "offersLanguages": .flag(self.form == nil),
            "isForm": .flag(self.form != nil),
            "fields": .list((self.form?.fields ?? []).map { ["name": .text($0.name), "value": .text($0.value)] }),
        ]
    }
}
