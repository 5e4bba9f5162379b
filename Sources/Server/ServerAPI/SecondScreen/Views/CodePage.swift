import Clientless
import Entitlement

extension SecondScreen {
    /// Asks for the code on the TV.
    /// - Parameter text: in the field already, typed wrongly.
    func codePage(_ visit: Visit, filledWith text: String, problem: PhraseKey?) -> Page {
        // A text that reads as a code is shown as the TV shows it; anything else as it was typed, to be corrected.
        let shown = RegistrationCodeText(text)?.grouped ?? text
        return Page(
            "code", mayBeCompressed: true,
            [
                "step": .number(1),
                // How long a code is that can be checked as it is typed.
                "length": .text(String(self.domain.codes.longestOpenCode)),
                "code": .foreign(ForeignText(shown, limit: 32)),
                "problem": .phrase(problem.map { Phrase($0) }),
                "formToken": self.formToken(.code, visit),
            ])
    }
}
