import HTTPServer

extension SecondScreen {
    /// The language a viewer chose, kept in their browser for a year and nowhere else.
    static let languageCookie = PageCookie("latchkey-language", lifetime: 365 * 24 * 3600)

    /// The language of the answer: the one chosen in this browser, else the best the browser asks for.
    func language(of request: HTTPRequest, isSecure: Bool) -> String {
        Self.languageCookie.value(in: request, isSecure: isSecure).flatMap { self.library.language(named: $0) }
            ?? self.library.language(for: request.headers["Accept-Language"])
    }

    /// Back to the page the viewer was on, now in the language they chose.
    ///
    /// The form has no token of the browser's session: it must work on pages that give no session, and all that a
    /// foreign form could do is change the language.
    func takeLanguage(_ visit: Visit) throws(Problem) -> ScreenAnswer {
        guard FormOrigin.isOurs(visit.request) else { throw Problem(.session) }
        guard let language = visit.form["language"].flatMap({ self.library.language(named: $0) })
        else { throw Problem(.malformed) }
        let place = PagePlace(
            path: visit.form["page"] ?? "", code: visit.form["code"], attempt: visit.form["attempt"],
            way: visit.form["way"])
        return .keep([Self.languageCookie.setting(language, isSecure: visit.isSecure)], at: place.address)
    }
}
