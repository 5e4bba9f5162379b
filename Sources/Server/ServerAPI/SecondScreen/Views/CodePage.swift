/// Asks for the code on the TV.
struct CodePage: Page {
    static let template = "code"

    /// What is in the field already: from the QR code, or typed wrongly.
    var code: ForeignText?
    var problem: PhraseKey?
    let formToken: String

    var values: [String: TemplateValue] {
        [
            "step": .number(1),
            "code": .foreign(self.code),
            "problem": .phrase(self.problem.map { Phrase($0) }),
            "formToken": .text(self.formToken),
        ]
    }
}
