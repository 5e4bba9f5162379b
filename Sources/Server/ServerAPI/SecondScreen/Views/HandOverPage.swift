import Entitlement

extension Page {
    /// Leads on to the provider, on the way to a sign-in: by itself, and with a button if that does not work.
    static func handOver(_ view: LoginView, to address: String, _ form: ProviderForm?) -> Page {
        self.handOver(
            to: address, view.mvpd.displayName, brand: view.requestor.name, form,
            isForBoxes: view.attempt.origin == .boxList)
    }

    /// Leads back to a provider that ended the viewer's session, or from one.
    /// - Parameter name: what viewers call where it leads.
    static func handOver(answering name: String, _ form: ProviderForm) -> Page {
        self.handOver(to: form.address, name, brand: nil, form, isForBoxes: false)
    }

    /// The page holds secrets of the login beside text that the provider, or an impostor, sent along.
    /// - Parameters:
    ///   - brand: `nil` for the answer to a logout.
    ///   - isForBoxes: on the way to the viewer's list of boxes.
    private static func handOver(
        to address: String, _ provider: String, brand: String?, _ form: ProviderForm?, isForBoxes: Bool
    ) -> Page {
        Page(
            "hand-over", mayBeCompressed: false,
            [
                "step": .number(3),
                "isLogin": .flag(brand != nil),
                "isForBoxes": .flag(isForBoxes),
                "brand": .foreign(ForeignText(brand ?? "")),
                "provider": .foreign(ForeignText(provider)),
                "address": .text(address),
                // Clients that read pages send the first form, with all hidden fields (rest-v1 13.3).
                "offersLanguages": .flag(form == nil),
                "isForm": .flag(form != nil),
                "fields": .list(form?.fields ?? []) { ["name": .text($0.name), "value": .text($0.value)] },
            ])
    }
}
