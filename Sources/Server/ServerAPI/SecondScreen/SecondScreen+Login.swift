import Clientless
import Cryptography
import Entitlement
import HTTPServer

/// A login under way: signing in, confirming, and how it ended.
extension SecondScreen {
    /// The page of the stage the login is at; another page's address leads there.
    func showLogin(_ visit: Visit, at page: LoginStage) async throws -> ScreenAnswer {
        guard let token = visit.query["attempt"] else { return .go(ScreenPath.activate) }
        let view = try await self.login(token, visit)
        switch (page, view.stage(at: visit.now)) {
        case (.signIn, .signIn): return self.page(self.signInPage(view, token, visit), for: view, token)
        case (.confirm, .confirm):
            let isReadOut = visit.query["way"] == "readOut" && view.mayBeReadOut
            return try await self.confirmPage(view, token, visit, isReadOut ? .readOut : .inFront)
        case (.done, .done) where view.attempt.origin == .secondScreen:
            guard await !self.domain.logins.hasEnded(view, now: visit.now) else {
                return .page(self.codePage(visit, filledWith: "", problem: .codeUsed), status: .badRequest)
            }
            return .page(await self.donePage(view, token, visit), login: token)
        case _: return try self.proceed(view, token, visit)
        }
    }

    func takeCredentials(_ visit: Visit) async throws -> ScreenAnswer {
        let token = visit.form["attempt"] ?? ""
        let account = visit.form["account"] ?? ""
        let password = visit.form["password"] ?? ""
        guard account.utf8.count <= 256, password.utf8.count <= 1024 else { throw Problem(.malformed) }
        let view = try await self.login(token, visit)
        guard view.stage(at: visit.now) == .signIn else { return try await self.proceed(token, visit) }
        var page = self.signInPage(view, token, visit)
        let remembers = visit.form["remember"] == "yes"
        page.values["account"] = .text(ForeignText(account)?.text ?? "")
        page.values["remembers"] = .flag(remembers)
        guard ForeignText(account) != nil, !password.isEmpty else {
            page.values["problem"] = .phrase(Phrase(.signInMissing))
            return self.page(page, for: view, status: .badRequest)
        }
        let response = ProviderResponse.password(account: account, password: Secret(password))
        do {
            switch try await self.domain.logins.complete(
                token, browser: visit.browser.identity, response: response, by: visit.guesser, now: visit.now)
            {
            case .went(let view):
                let answer = try self.proceed(view, token, visit)
                return self.remembering(remembers ? account : nil, at: view.mvpd.id, visit, answer)
            case .refused(_, let reason):
                page.values["problem"] = self.refusal(reason)
                return self.page(page, for: view, status: .forbidden)
            }
        } catch let error as EntitlementError {
            return try await self.answer(error, with: page, for: view, token, visit)
        }
    }

    /// The answer to a viewer whose sign-in was not tried: how long to wait, or where the login is now.
    func answer(
        _ error: EntitlementError, with page: Page, for view: LoginView, _ token: String, _ visit: Visit
    ) async throws -> ScreenAnswer {
        let isOfBoxes = view.attempt.origin == .boxList
        guard error.code == .tooManyAttempts, let wait = error.retryAfter
        else { return try await self.recover(from: error, token, visit, goingOn: isOfBoxes ? .boxes : .startAgain) }
        var page = page
        // A wait beyond the end of every login is this login's own: another one need not wait so long.
        let phrase =
            switch wait {
            case _ where error.isForEveryone: Phrase(key: Problem(error).explanation(isOfBoxes: isOfBoxes))
            case _ where wait > LoginAttempt.lifetime: Phrase(.signInOver)
            default: Phrase(.signInTooMany, ["retry": .phrase(WaitingTime.phrase(wait))])
            }
        page.values["problem"] = .phrase(phrase)
        return self.page(page, for: view, status: .tooManyRequests, retryAfter: wait)
    }

    func takeDecision(_ visit: Visit) async throws -> ScreenAnswer {
        let token = visit.form["attempt"] ?? ""
        switch visit.form["decision"] {
        case "decline": return try await self.decline(token, visit)
        case "confirm": break
        default: throw Problem(.malformed)
        }
        let way: ConfirmationWay
        switch visit.form["way"] ?? "" {
        case "": way = .inFront
        case "readOut": way = .readOut
        default: throw Problem(.malformed)
        }
        if way == .readOut, visit.form["known"] != "yes" {
            let view = try await self.login(token, visit)
            guard view.stage(at: visit.now) == .confirm, view.mayBeReadOut
            else { return try self.proceed(view, token, visit) }
            return try await self.confirmPage(
                view, token, visit, .readOut, problem: .readOutUnsaid, status: .badRequest)
        }
        do {
            let view = try await self.domain.logins.confirm(
                token, browser: visit.browser.identity, way, by: visit.guesser, now: visit.now)
            return await self.keeping(view, visit, try self.proceed(view, token, visit))
        } catch let error as EntitlementError {
            // The account is gone, or the rule that let the viewer in: the same question again would lead nowhere.
            if [.loginUnknown, .providerUnavailable].contains(error.code),
                let view = try? await self.login(token, visit), view.stage(at: visit.now) == .confirm,
                way == .inFront || view.mayBeReadOut
            {
                // In the grace after a code's end the picker would lead back to this question.
                let isLate = view.record.life.state(at: visit.now) == .expired
                let step: Problem.NextStep = isLate ? .startAgain : .picker(view.record.code)
                let isOver = isLate || error.code == .loginUnknown
                let problem = isOver ? Problem(.loginOver, goingOn: step) : Problem(error, goingOn: step)
                return try self.leave(view, for: problem, visit)
            }
            return try await self.recover(from: error, token, visit)
        }
    }

    func decline(_ token: String, _ visit: Visit) async throws -> ScreenAnswer {
        do {
            let view = try await self.domain.logins.decline(token, browser: visit.browser.identity, now: visit.now)
            return try self.proceed(view, token, visit)
        } catch let error as EntitlementError {
            return try await self.recover(from: error, token, visit)
        }
    }
}

extension SecondScreen {
    func login(_ token: String, _ visit: Visit) async throws -> LoginView {
        guard token.utf8.count <= 128 else { throw Problem(.session) }
        return try await self.domain.logins.login(token, browser: visit.browser.identity, now: visit.now)
    }

    /// To the page of the stage the login is at now.
    private func proceed(_ token: String, _ visit: Visit) async throws -> ScreenAnswer {
        let view = try await self.login(token, visit)
        return try self.proceed(view, token, visit)
    }

    /// Leads a viewer whose code or login has moved on meanwhile to the page where it is now.
    private func recover(
        from error: EntitlementError, _ token: String, _ visit: Visit, goingOn step: Problem.NextStep = .startAgain
    ) async throws -> ScreenAnswer {
        switch error.code {
        case .codeUsed, .codeDeclined, .codeUnknown, .loginUnknown: return try await self.proceed(token, visit)
        case .unknownRequestor, .unknownProvider, .notAuthenticated, .authenticationExpired, .authenticationRevoked,
            .notAuthorized, .authorizationMissing, .authorizationExpired, .tooManyResources, .foreignToken,
            .deviceMismatch, .trialExhausted, .passiveNotPossible, .platformRefused, .providerUnavailable,
            .tooManyAttempts, .storeUnavailable, .internal:
            throw Problem(error, goingOn: step)
        }
    }

    func proceed(_ view: LoginView, _ token: String, _ visit: Visit) throws(Problem) -> ScreenAnswer {
        switch (view.stage(at: visit.now), view.attempt.origin) {
        case (.signIn, _): return .go(ScreenPath.signIn(token))
        case (.handedOver, _): return .go(ScreenPath.handOver(token))
        case (.answered, .foreignPage(let address)): return .leave(address)
        case (.answered, .secondScreen): throw Problem(.answered, goingOn: .picker(view.record.code))
        case (.answered, .boxList): throw Problem(.answered, goingOn: .boxes)
        case (.boxes, _): return .go(ScreenPath.boxes(token))
        case (.confirm, _): return .go(ScreenPath.confirm(token))
        case (.done, .foreignPage(let address)), (.declined, .foreignPage(let address)),
            (.gone, .foreignPage(let address)):
            return .leave(address)
        case (.done, .secondScreen): return .go(ScreenPath.done(token))
        case (.declined, .secondScreen): return .go(ScreenPath.declined)
        case (.gone, .secondScreen): throw Problem(.code)
        case (.done, .boxList), (.declined, .boxList): return .go(ScreenPath.boxes)
        case (.gone, .boxList): throw Problem(.session, goingOn: .boxes)
        }
    }

    func page(
        _ page: Page, for view: LoginView, _ token: String? = nil, status: HTTPStatus = .ok,
        retryAfter: Duration? = nil, takesPassword: Bool = true
    ) -> ScreenAnswer {
        let targets: FormTargets
        let login: String?
        switch view.attempt.origin {
        case .secondScreen: (targets, login) = (.ours, token)
        case .foreignPage(let page): (targets, login) = (takesPassword ? .oursAnd(page) : .onward(from: page), token)
        // A look at boxes leaves what the browser knows of its last code.
        case .boxList: (targets, login) = (.ours, nil)
        }
        return .page(page, status: status, retryAfter: retryAfter, formTargets: targets, login: login)
    }

    /// Goes on, and lets the browser keep the name of the account that signed in, or forget one of the same provider.
    /// - Parameter account: `nil` when the viewer does not want it kept.
    private func remembering(
        _ account: String?, at mvpd: MVPDID, _ visit: Visit, _ answer: ScreenAnswer
    ) -> ScreenAnswer {
        guard case .go(let path) = answer else { return answer }
        if let account, let cookie = RememberedAccount.cookie(mvpd, account, isSecure: visit.isSecure) {
            return .keep([cookie], at: path)
        }
        guard let known = RememberedAccount.of(visit.request, isSecure: visit.isSecure), known.mvpd == mvpd
        else { return answer }
        return .keep([RememberedAccount.forgetting(isSecure: visit.isSecure)], at: path)
    }

    /// The provider's own sentence, or ours when it gave no sentence.
    private func refusal(_ reason: String?) -> TemplateValue {
        if let sentence = reason.flatMap({ ForeignText($0, limit: 300) }) { return .foreign(sentence) }
        return .phrase(Phrase(.signInRefused))
    }
}
