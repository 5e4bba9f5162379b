/// Asks for the code on the TV.
struct CodePage: Page {
    static let template = "code"
    var mayBeCompressed: Bool { true }

    /// The text in the field already, typed wrongly.
    var code: ForeignText?
    var problem: PhraseKey?
    /// How long a code is that can be checked as it is typed.
    let length: Int
    let formToken: String

    var values: TemplateValues {
        [
            "step": .number(1),
            "length": .text(String(self.length)),
            "code": .foreign(self.code),
            "problem": .phrase(self.problem.map { Phrase($0) }),
            "formToken": .text(self.formToken),
        ]
    }
}
