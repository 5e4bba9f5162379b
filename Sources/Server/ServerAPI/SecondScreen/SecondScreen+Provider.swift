import Clientless
import Entitlement
import HTTPServer

/// The picker of TV providers, and declining before the viewer signed in.
extension SecondScreen {
    func showProviders(_ visit: Visit) async throws -> ScreenAnswer {
        guard let text = visit.query["code"] else { return .go(ScreenPath.activate) }
        // A person whom some other site sends here says first that this is the code; until then it is not looked up.
        if CrossSiteRequest(visit.request, self.context.origins) != nil {
            return .go(RegistrationCodeText(text).map { ScreenPath.activate($0) } ?? ScreenPath.activate)
        }
        if visit.query["other"] != nil {
            return self.forgetting(visit, isDone: false, at: ScreenPath.path(ScreenPath.provider, "code", text))
        }
        return try await self.goOn(text, visit) { .page(try self.providerPage($0, visit, problem: nil)) }
    }

    func takeProvider(_ visit: Visit) async throws -> ScreenAnswer {
        try await self.goOn(visit.form["code"] ?? "", visit) { record in
            guard let mvpd = visit.form["mvpd"].flatMap({ MVPDID($0) }), self.offers(mvpd, for: record)
            else { return .page(try self.providerPage(record, visit, problem: .providerPick), status: .badRequest) }
            return try await self.begin(record, at: mvpd, visit)
        }
    }

    func offers(_ mvpd: MVPDID, for record: RegistrationRecord) -> Bool {
        guard let requestor = self.domain.catalogue.requestor(record.requestor) else { return false }
        return self.domain.catalogue.mvpdsOnOwnPage(of: requestor).contains { $0.id == mvpd }
    }

    /// Begins a login at a provider, and goes where it starts.
    func begin(
        _ record: RegistrationRecord, at mvpd: MVPDID, _ visit: Visit, recent: RecentSignIn? = nil
    ) async throws -> ScreenAnswer {
        let request = LoginRequest(
            code: record.code, requestor: nil, mvpd: mvpd, origin: .secondScreen, browser: visit.browser.identity,
            callback: self.settings.callback(of: mvpd), recent: recent,
            asksAnew: Self.asksAnew(visit.request, isSecure: visit.isSecure))
        let start = try await self.domain.logins.begin(request, by: visit.guesser, now: visit.now)
        switch start.handover {
        case .signInPage: return .go(ScreenPath.signIn(start.token))
        // Browsers that check `form-action` along the way would stop the form of our picker at the provider; a page of ours
        // in between begins anew.
        case .redirect, .form: return .go(ScreenPath.handOver(start.token))
        case .accepted: return .go(ScreenPath.confirm(start.token))
        }
    }

    /// "I did not ask for this", on the picker and on the sign-in page.
    func takeDecline(_ visit: Visit) async throws -> ScreenAnswer {
        if let token = visit.form["attempt"] { return try await self.decline(token, visit) }
        guard let code = RegistrationCodeText(visit.form["code"] ?? "") else { throw Problem(.code) }
        var guesser = visit.guesser
        guesser.session = self.domain.keys.sessionHash(visit.browser.identity)
        try await self.domain.logins.decline(code: code, by: guesser, now: visit.now)
        return .go(ScreenPath.declined)
    }

    /// Goes on with a code that waits for a viewer. Any other leads to where it led before in this browser.
    private func goOn(
        _ text: String, _ visit: Visit, with next: (RegistrationRecord) async throws -> ScreenAnswer
    ) async throws -> ScreenAnswer {
        guard let code = RegistrationCodeText(text) else { throw Problem(.code) }
        if let record = try await self.openRecord(code, visit) { return try await next(record) }
        guard let answer = await self.whereItLed(code, visit) else { throw Problem(.code) }
        return answer
    }

    /// The region the viewer is in, where the operator divides the country.
    func region(of visit: Visit) -> String? {
        let catalogue = self.domain.catalogue
        guard !catalogue.regions.isEmpty else { return nil }
        let languages = LanguagePreference(visit.request.headers["Accept-Language"]).tags
        return catalogue.region(of: visit.address.network, languages: languages)
    }
}
