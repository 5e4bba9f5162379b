import Clientless
import Entitlement

/// Asks for the TV provider.
///
/// It says nothing about the box: a guesser of codes gets this far.
struct ProviderPage: Page {
    static let template = "provider"

    let code: RegistrationCodeText
    let requestor: Requestor
    let providers: [MVPD]
    /// The one the box chose; it comes first.
    let chosen: MVPDID?
    var problem: PhraseKey?
    let formToken: String
    let declineToken: String

    var values: [String: TemplateValue] {
        [
            "step": .number(2),
            "code": .text(self.code.text),
            "codeWord": .html(CodeWord.html(self.code)),
            "brand": .foreign(ForeignText(self.requestor.name)),
            "problem": .phrase(self.problem.map { Phrase($0) }),
            "providers": .list(self.ordered.map(self.item)),
            "formToken": .text(self.formToken),
            "declineToken": .text(self.declineToken),
        ]
    }

    private var ordered: [MVPD] {
        self.providers.filter { $0.id == self.chosen } + self.providers.filter { $0.id != self.chosen }
    }

    private func item(_ provider: MVPD) -> [String: TemplateValue] {
        ProviderMark(provider).values.merging(
            [
                "id": .text(provider.id.text),
                "name": .foreign(ForeignText(provider.displayName)),
                "chosen": .flag(provider.id == self.chosen),
            ]
        ) { own, _ in own }
    }
}

/// A provider's picture, or its initials.
struct ProviderMark {
    private let provider: MVPD

    init(_ provider: MVPD) {
        self.provider = provider
    }

    var values: [String: TemplateValue] {
        ["logo": self.logo.map(TemplateValue.text) ?? .absent, "initials": .text(self.initials)]
    }

    /// Only a picture of this server's, or one that is in the address itself. Any other would tell a third party who
    /// is signing in where; the address of such a logo is for the boxes, which the faces give it to.
    private var logo: String? {
        guard let address = self.provider.logoURL else { return nil }
        let isOurs = address.hasPrefix("/") && !address.hasPrefix("//") && !address.hasPrefix("/\\")
        return isOurs || address.lowercased().hasPrefix("data:image/") ? address : nil
    }

    private var initials: String {
        let words = self.provider.displayName.split { !$0.isLetter && !$0.isNumber }
        return words.prefix(2).compactMap { $0.first?.uppercased() }.joined()
    }
}

/// A code within a sentence: grouped as on the TV, never broken over two lines, and from left to right in every
/// language.
enum CodeWord {
    static func html(_ code: RegistrationCodeText) -> HTML {
        HTML(unescaped: "<bdi class=\"code-word\" dir=\"ltr\">\(HTML(escaping: code.grouped).markup)</bdi>")
    }
}
