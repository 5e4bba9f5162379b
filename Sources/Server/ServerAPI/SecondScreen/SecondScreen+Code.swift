import Clientless
import Cryptography
import Entitlement
import HTTPServer

/// The code: asking for it, and looking it up for a viewer.
extension SecondScreen {
    /// The QR code fills the field in, and that is all it does: the person still sees the code and presses the button.
    func showCode(_ visit: Visit) -> ScreenAnswer {
        let given = visit.query["code"] ?? ""
        return .page(self.codePage(visit, filledWith: given, problem: nil))
    }

    /// The short address of a QR code: to the page that asks for the code, filled in.
    ///
    /// Every code that could be one is answered alike, and nothing is looked up.
    func followShortAddress(_ request: HTTPRequest) -> HTTPResponse {
        let code = RegistrationCodeText(request.segment("code"))
        return HTTPResponse.redirect(
            to: code.map { ScreenPath.activate($0) } ?? ScreenPath.activate, status: .seeOther
        ).setting("Cache-Control", "no-store").setting("Referrer-Policy", "no-referrer")
    }

    func takeCode(_ visit: Visit) async throws(Problem) -> ScreenAnswer {
        let typed = visit.form["code"] ?? ""
        guard ForeignText(typed) != nil else {
            return .page(self.codePage(visit, filledWith: "", problem: .codeMissing), status: .badRequest)
        }
        guard let code = RegistrationCodeText(typed), let record = try await self.openRecord(code, visit) else {
            return .page(self.codePage(visit, filledWith: typed, problem: .codeUnknown), status: .badRequest)
        }
        // Only news for the box: what is wrong with the store or the code, the next page says.
        try? await self.domain.codes.noteOpened(record, now: visit.now)
        // What the box chose needs no picker (rest-v1 27), if these pages offer it.
        guard let mvpd = record.mvpd, self.offers(mvpd, for: record)
        else { return .go(ScreenPath.provider(of: record.code)) }
        return try await self.begin(record, at: mvpd, visit)
    }

    /// The record of a code that still waits for a viewer.
    ///
    /// Unknown, used, declined and expired codes take the same steps and give the same answer.
    /// - Throws: `tooManyAttempts` before anything is looked up.
    func openRecord(_ code: RegistrationCodeText, _ visit: Visit) async throws(Problem) -> RegistrationRecord? {
        var guesser = visit.guesser
        guesser.session = self.domain.keys.sessionHash(visit.browser.secret)
        do throws(EntitlementError) {
            return try await self.domain.codes.lookUp(code, of: nil, for: .completing, by: guesser, now: visit.now)
        } catch {
            guard [.codeUnknown, .codeUsed, .codeDeclined].contains(error.code) else { throw Problem(error) }
            return nil
        }
    }

    private func codePage(_ visit: Visit, filledWith text: String, problem: PhraseKey?) -> CodePage {
        // What reads as a code is shown as the TV shows it; anything else as it was typed, to be corrected.
        let shown = RegistrationCodeText(text)?.grouped ?? text
        return CodePage(
            code: ForeignText(shown, limit: 32), problem: problem, formToken: self.token(.code, visit).text)
    }
}
