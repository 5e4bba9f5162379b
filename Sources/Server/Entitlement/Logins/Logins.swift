package import Clientless
import Cryptography

/// Logins of viewers at their provider, from the choice of a provider to the box that is signed in.
package struct Logins: DomainPart {
    let parts: DomainParts
    let codes: Codes
    let signIns: SignIns
    let trials: Trials
    let guessing: Guessing
    let passwords: PasswordGuessing
    /// `nil` is no limit.
    let issuance: IssuanceLimiter?
    /// Is told of boxes that are new to their viewer; `nil` if no one wants to know.
    let onBoxAdded: (@Sendable (AddedBox) -> Void)?
    private let openedLogins = OpenedValues<AttemptID, AcceptedLogin>()
    let openedExchanges = OpenedValues<AttemptID, ProviderExchange>()

    /// How often a code may change before it takes no further login. Each login is a row that stays for a quarter of an
    /// hour, and a caller needs only the code to begin one; viewers need two or three.
    private static let maximumChanges = 200

    /// Starts a login for an open code (rest-v1 13.1, 13.2). A code that saw too many logins is as used.
    /// - Throws: `codeUnknown`, `codeUsed`, `codeDeclined`, `tooManyAttempts`, `unknownProvider`,
    ///   `providerUnavailable`, `storeUnavailable`.
    package func begin(
        _ request: LoginRequest, by guesser: Guesser, now: Timestamp
    ) async throws(EntitlementError) -> LoginStart {
        let guesser = self.guesser(guesser, browser: request.browser)
        let record = try await self.codes.lookUp(
            request.code, of: request.requestor.map { [$0] }, for: .completing, by: guesser, now: now)
        return try await self.begin(request, for: record, by: guesser, now: now)
    }

    /// Starts a login for a code that was looked up.
    /// - Throws: as ``begin(_:by:now:)``.
    func begin(
        _ request: LoginRequest, for record: RegistrationRecord, by guesser: Guesser, now: Timestamp
    ) async throws(EntitlementError) -> LoginStart {
        let token = Base64.encodeURL(SecureRandom.bytes(32))
        let (asked, change) = try await self.issue(within: self.issuance, to: guesser, bytes: request.origin.size) {
            () throws(EntitlementError) in
            // The provider is asked first, so that one write keeps both the choice and what came of it.
            var chosen = record
            let attempt = try self.choose(request, token, for: &chosen, now: now).attempt
            let view = try self.view(attempt, chosen)
            let asked: Result<Begun, EntitlementError>
            do throws(EntitlementError) {
                asked = .success(try await self.ask(request, token, view, by: guesser, now: now))
            } catch {
                asked = .failure(error)
            }
            let change = try await self.codes.change(startingFrom: record) { (record) throws(EntitlementError) in
                var change = try self.choose(request, token, for: &record, now: now)
                guard case .success(let begun) = asked else { return change }
                if case .accepted = begun.progress { try record.life.applying(.providerAccepted, at: now) }
                change.attempt?.progress = begun.progress
                return change
            }
            return (asked, change)
        }
        // The page of a programmer, and one that a QR code leads to, open the code and pick the provider at once.
        if change.made.isOpening { self.codes.tell(.codeOpened, of: change.record, at: nil, now: now) }
        if request.origin != .boxList { self.codes.tell(.signInBegun, of: change.record, at: request.mvpd, now: now) }
        return (token, try asked.get().handover, try self.view(change.made.attempt, change.record))
    }

    private typealias Begun = (handover: ProviderHandover, progress: LoginAttempt.Progress)

    /// Asks how the browser of a login that begins gets to the provider, and where the login stands then.
    private func ask(
        _ request: LoginRequest, _ token: String, _ view: LoginView, by guesser: Guesser, now: Timestamp
    ) async throws(EntitlementError) -> Begun {
        // A list of boxes is for a viewer whom a provider vouches for: neither a skipped login nor their home is enough.
        let isForBoxes = request.origin == .boxList
        if !isForBoxes {
            // No question to the provider is needed, or its browser goes on with a login.
            var accepted = try await self.acceptedAtOnce(view, person: request.person, now: now)
            if accepted == nil, request.recent?.mvpd == request.mvpd {
                accepted = request.recent?.login.map { AcceptedLogin(login: $0) }
            }
            if let accepted { return (.accepted(accepted.login), try self.progress(accepted, of: view, now: now)) }
        }
        let triesHome = !isForBoxes && !request.asksAnew && view.mvpd.home?.isTried(from: guesser.address) ?? false
        let context = ProviderLoginContext(
            mvpd: request.mvpd, requestor: view.requestor.id, callback: request.callback, reference: token,
            isPassive: request.isPassive || triesHome, asksAnew: request.asksAnew ? true : nil)
        let start = try await self.providers.ask(request.mvpd, provesLife: false) { provider throws(ProviderError) in
            try await provider.begin(context, now: now)
        }
        switch start.handover {
        case .signInPage: return (.signInPage, .atProvider)
        case .redirect, .form:
            return (start.handover, try self.progress(start, context, of: view, triesHome: triesHome))
        // A login that needs no provider goes to the confirmation page, whatever the requestor skips: so far the viewer
        // has followed a link, and any page may hold that link.
        case .accepted(let login):
            return (start.handover, try self.progress(AcceptedLogin(login: login), of: view, now: now))
        }
    }

    private func choose(
        _ request: LoginRequest, _ token: String, for record: inout RegistrationRecord, now: Timestamp
    ) throws(EntitlementError) -> CodeChange {
        guard self.catalogue.integration(record.requestor, request.mvpd) != nil
        else { throw EntitlementError(.unknownProvider) }
        // Without the person a viewer would be another one on every device (rest-v1 20.3).
        guard request.person != nil || self.catalogue.mvpd(request.mvpd)?.trial?.isPromotional != true
        else { throw EntitlementError(.unknownProvider, detail: "a promotional trial is for a person") }
        guard record.version < Self.maximumChanges else { throw EntitlementError(.codeUsed) }
        let isOpening = record.life.state(at: now) == .waiting(refusal: nil)
        try record.life.applying(.providerChosen, at: now)
        let attempt = LoginAttempt(
            id: self.attemptID(token), code: record.code, requestor: record.requestor, mvpd: request.mvpd,
            origin: request.origin, browser: self.browserHash(request.browser), created: now)
        return CodeChange(isOpening: isOpening, attempt: attempt, isBeginning: true)
    }

    /// A login under way, for the page that shows it.
    /// - Throws: `loginUnknown`, `storeUnavailable`.
    package func login(_ token: String, browser: Browser, now: Timestamp) async throws(EntitlementError) -> LoginView {
        let login = try await self.storedLogin(token, now: now)
        guard let login, constantTimeEqual(login.attempt.browser, self.browserHash(browser))
        else { throw EntitlementError(.loginUnknown) }
        return try self.view(of: login)
    }

    /// The login of a token, of whichever browser.
    func storedLogin(_ token: String, now: Timestamp) async throws(EntitlementError) -> StoredLogin? {
        let id = self.attemptID(token)
        if let known = self.memory.login(id, now: now) { return known }
        return try await stored(await self.store.login(id, now: now))
    }

    /// Swaps the progress of an attempt in.
    /// - Returns: the attempt as it is stored then; `nil` if another caller was quicker, or it is gone.
    func update(_ attempt: LoginAttempt) async throws(EntitlementError) -> LoginAttempt? {
        let ticket = self.memory.attempts.ticket(for: attempt.id)
        let isSwapped = try await stored(await self.store.update(attempt))
        var swapped = attempt
        swapped.version += 1
        let updated = isSwapped ? swapped : nil
        self.memory.attempts.replace(attempt.id, since: ticket) { _ in updated }
        return updated
    }

    /// - Throws: `loginUnknown`.
    func view(of login: StoredLogin) throws(EntitlementError) -> LoginView {
        let (attempt, record) = (login.attempt, login.record)
        // A code that was erased may be issued again, to another box.
        guard record.requestor == attempt.requestor, record.life.generated <= attempt.created
        else { throw EntitlementError(.loginUnknown) }
        return try self.view(attempt, record)
    }

    /// Takes what the browser brought back from the provider.
    ///
    /// - Parameter guesser: where the browser is, for the limits on wrong passwords.
    /// - Throws: `loginUnknown`, `tooManyAttempts`, `codeUsed`, `codeDeclined`, `codeUnknown`, `providerUnavailable`,
    ///   `storeUnavailable`.
    package func complete(
        _ token: String, browser: Browser, response: ProviderResponse, by guesser: Guesser, now: Timestamp
    ) async throws(EntitlementError) -> LoginStep {
        let view = try await self.login(token, browser: browser, now: now)
        guard case .atProvider = view.attempt.progress, case .password(let account, _) = response
        else { return .went(try await self.repeated(view, now: now)) }
        let guesser = self.guesser(guesser, browser: browser)
        // Foreign text of any length; its digest is not.
        let digest = Hex.encode(Digest.sha256(account.lowercased().utf8))
        var passwordGuesser = self.guesser(guesser, of: digest, for: view, now: now)
        passwordGuesser.viewer = self.keys.loginName(account, of: view.mvpd.id)
        if !view.record.isOfBoxList { passwordGuesser.box = view.record.context.device.handle }
        let reservation = try self.admit(passwordGuesser)
        let context = ProviderLoginContext(
            mvpd: view.mvpd.id, requestor: view.requestor.id, callback: "", reference: "")
        let verdict = try await self.providers.ask(view.mvpd.id, boundsOwn: true) { provider throws(ProviderError) in
            try await provider.complete(context, with: response, state: .empty, now: now)
        }
        switch verdict {
        case .refused(let refusal):
            reservation.settle(false, at: self.uptime())
            let answer = try await self.refuse(view, reason: refusal.sentence, viewer: passwordGuesser.viewer, now: now)
            return .refused(answer, reason: refusal.kind == .wrongCredentials ? nil : refusal.sentence)
        case .accepted(let login):
            reservation.settle(true, at: self.uptime())
            return .went(try await self.proceed(view, AcceptedLogin(login: login, proved: now), by: guesser, now: now))
        }
    }

    /// Signs the box in that the viewer confirmed. Confirming twice is the same as once.
    /// - Throws: `loginUnknown`, `codeUsed`, `codeDeclined`, `codeUnknown`, `storeUnavailable`; `tooManyAttempts` when the
    ///   caller began too many trials; `providerUnavailable` when the degradation rule that skipped its login is over.
    /// The address and the browser then pass limits that others do not: they have proven themselves.
    /// - Parameter way: how the viewer knows the box; one that its requestor does not allow is `loginUnknown`.
    package func confirm(
        _ token: String, browser: Browser, _ way: ConfirmationWay = .inFront, by guesser: Guesser, now: Timestamp
    ) async throws(EntitlementError) -> LoginView {
        let view = try await self.login(token, browser: browser, now: now)
        guard view.attempt.origin != .boxList, way == .inFront || view.mayBeReadOut
        else { throw EntitlementError(.loginUnknown) }
        switch view.attempt.progress {
        case .accepted(let sealed):
            let accepted = try self.accepted(sealed, view.attempt)
            let current = try await self.renewed(accepted, for: view, now: now)
            let issuance = current.origin == .temporaryPass ? self.trials.issuance : nil
            return try await self.issue(within: issuance, to: guesser) { () throws(EntitlementError) in
                try await self.finish(view, current, way, by: self.guesser(guesser, browser: browser), now: now)
            }
        case .completed, .closed:
            return try await self.repeated(view, now: now)
        case .atProvider, .handedOver, .answered:
            throw EntitlementError(.loginUnknown)
        }
    }

    /// Declines the code of a login for a viewer who said that this is not their box. Final: no login can complete the
    /// code any more.
    /// - Throws: `loginUnknown`, `codeUsed`, `codeUnknown`, `storeUnavailable`.
    package func decline(
        _ token: String, browser: Browser, now: Timestamp
    ) async throws(EntitlementError) -> LoginView {
        let view = try await self.login(token, browser: browser, now: now)
        if case .declined = view.record.life.state(at: now) { return view }
        var attempt = view.attempt
        attempt.progress = .closed
        let closed = attempt
        let change = try await self.codes.change(startingFrom: view.record) { (record) throws(EntitlementError) in
            try record.life.applying(.declined, at: now)
            return CodeChange(attempt: closed)
        }
        self.codes.tell(.declined, of: change.record, at: view.mvpd.id, now: now)
        return try self.view(closed, change.record)
    }

    /// Declines a code for a viewer who has not signed in anywhere. Final, like
    /// ``decline(_:browser:now:)``; declining a code that is declined already is no error.
    /// - Throws: `codeUsed`, `codeUnknown`, `tooManyAttempts`, `storeUnavailable`.
    package func decline(
        code: RegistrationCodeText, by guesser: Guesser, now: Timestamp
    ) async throws(EntitlementError) {
        do {
            let record = try await self.codes.lookUp(code, of: nil, for: .completing, by: guesser, now: now)
            let change = try await self.codes.change(startingFrom: record) { (record) throws(EntitlementError) in
                try record.life.applying(.declined, at: now)
                return CodeChange()
            }
            self.codes.tell(.declined, of: change.record, at: nil, now: now)
        } catch {
            guard error.code == .codeDeclined else { throw error }
        }
    }
}

extension Logins {
    /// The result of a step that was already taken: a reloaded or twice-sent form sees the same page.
    func repeated(_ view: LoginView, now: Timestamp) async throws(EntitlementError) -> LoginView {
        if case .accepted = view.attempt.progress { return view }
        switch view.record.life.state(at: now) {
        case .completed: return view
        case .declined: throw EntitlementError(.codeDeclined)
        case .waiting, .opened, .loggingIn, .confirming, .cancelled, .expired: throw EntitlementError(.loginUnknown)
        }
    }

    /// - Throws: `tooManyAttempts`.
    func admit(_ guesser: PasswordGuesser) throws(EntitlementError) -> Reservation<Bool> {
        do {
            return try self.passwords.admit(guesser, at: self.uptime())
        } catch {
            throw EntitlementError(error)
        }
    }

    func guesser(_ guesser: Guesser, browser: Browser) -> Guesser {
        var guesser = guesser
        guesser.session = self.browserHash(browser)
        return guesser
    }

    /// - Parameter account: the account's name among the limits, without a part of any length that a stranger chose.
    func guesser(_ guesser: Guesser, of account: String, for view: LoginView, now: Timestamp) -> PasswordGuesser {
        PasswordGuesser(
            address: guesser.address, session: guesser.session,
            isSettledBrowser: now - view.attempt.created >= .seconds(60), provider: view.mvpd.id, account: account,
            attempt: view.attempt.id.bytes, code: view.record.code)
    }

    func refuse(
        _ view: LoginView, reason: String?, viewer: String? = nil, now: Timestamp
    ) async throws(EntitlementError) -> LoginView {
        let change = try await self.codes.change(startingFrom: view.record) { (record) throws(EntitlementError) in
            try record.life.applying(.providerRefused(reason: reason), at: now)
            // The attempt stays as it is stored: another try may have been accepted meanwhile.
            return CodeChange()
        }
        self.codes.tell(.signInRefused, of: change.record, at: view.mvpd.id, viewer: viewer, now: now)
        return try self.view(view.attempt, change.record)
    }

    /// The step after a sign-in at a provider: the confirmation page, or the end (rest-v1 13.1).
    func proceed(
        _ view: LoginView, _ accepted: AcceptedLogin, by guesser: Guesser, now: Timestamp
    ) async throws(EntitlementError) -> LoginView {
        let isAsked =
            switch view.attempt.origin {
            case .secondScreen, .boxList: true
            case .foreignPage: view.requestor.confirmsForeignLogins
            }
        guard isAsked else { return try await self.finish(view, accepted, by: guesser, now: now) }
        return try await self.accept(view, accepted, now: now)
    }

    private func progress(
        _ login: AcceptedLogin, of view: LoginView, now: Timestamp
    ) throws(EntitlementError) -> LoginAttempt.Progress {
        try login.login.check(at: now)
        let attempt = view.attempt
        return .accepted(
            sealedLogin: try self.openedLogins.sealed(login, of: attempt.id, in: .login(of: attempt), by: self.keys))
    }

    private func accept(
        _ view: LoginView, _ login: AcceptedLogin, now: Timestamp
    ) async throws(EntitlementError) -> LoginView {
        var attempt = view.attempt
        attempt.progress = try self.progress(login, of: view, now: now)
        let accepted = attempt
        let change = try await self.codes.change(startingFrom: view.record) { (record) throws(EntitlementError) in
            try record.life.applying(.providerAccepted, at: now)
            return CodeChange(attempt: accepted)
        }
        return try self.view(accepted, change.record)
    }

    private func finish(
        _ view: LoginView, _ accepted: AcceptedLogin, _ way: ConfirmationWay = .inFront, by guesser: Guesser,
        now: Timestamp
    ) async throws(EntitlementError) -> LoginView {
        let id = SignIns.newAuthNID()
        // Its box may be told as soon as the change is kept.
        let handovers = self.codes.memory.handovers
        handovers.expect(view.attempt.id, browser: view.attempt.browser, id)
        var isKept = false
        defer { if !isKept { handovers.takeBack(id) } }
        let former = await self.former(accepted, view)
        let isNew = self.onBoxAdded != nil && accepted.origin.isOfAccount && former.isEmpty
        // A renaming reaches current sign-ins alone.
        let name = (former.filter { $0.isCurrent(at: now) } + former).lazy
            .compactMap { (try? self.signIns.keptSession(of: $0))?.box }.first { $0.isNamed == true }?.name
        // Last of all, so that hardly a logout comes in between.
        guard try await !self.wasEnded(accepted, view) else { throw EntitlementError(.loginUnknown) }
        let change = try await self.codes.change(startingFrom: view.record) { (record) throws(EntitlementError) in
            var attempt = view.attempt
            attempt.progress = .completed
            try record.life.applying(.confirmed(id), at: now)
            let created = try self.signIns.authentication(
                id, context: record.context, requestor: record.requestor, mvpd: view.mvpd.id,
                login: accepted.login, origin: accepted.origin,
                box: KeptBox(record.box, deviceType: record.request.deviceType, isReadOut: way == .readOut)
                    .named(name),
                credential: record.request.credential, code: record.code, until: accepted.end, now: now)
            return CodeChange(attempt: attempt, authentication: created)
        }
        // A provider's logout since then left its mark first, and may have looked for sign-ins before this one was there.
        if self.catalogue.provider(view.mvpd.id)?.keepsAccounts != true, let made = change.made.authentication,
            (try? await self.wasEnded(accepted, view)) == true
        {
            _ = try await self.endByProvider(made, now: now)
            throw EntitlementError(.loginUnknown)
        }
        isKept = true
        self.codes.tell(.confirmed, of: change.record, at: view.mvpd.id, now: now)
        // Trials and skipped logins prove nothing: every caller may have them.
        if accepted.origin.isOfAccount {
            var guesser = guesser
            guesser.box = change.record.context.device.bytes
            let account = self.keys.userID(accepted.login.upstreamUserID, of: view.mvpd.id)
            self.guessing.recordSuccess(of: guesser, account: account, at: self.uptime())
        }
        if isNew { await self.announce(accepted, id, view, now: now) }
        var finished = try self.view(change.made.attempt, change.record)
        finished.signIn = change.made.authentication
        return finished
    }

    /// The login that waits to be confirmed, if one does.
    func accepted(_ view: LoginView) throws(EntitlementError) -> AcceptedLogin? {
        guard case .accepted(let sealed) = view.attempt.progress else { return nil }
        return try self.accepted(sealed, view.attempt)
    }

    private func accepted(_ sealed: [UInt8], _ attempt: LoginAttempt) throws(EntitlementError) -> AcceptedLogin {
        try self.openedLogins.opened(sealed, of: attempt.id, in: .login(of: attempt), by: self.keys)
    }

    func view(_ attempt: LoginAttempt?, _ record: RegistrationRecord) throws(EntitlementError) -> LoginView {
        guard let attempt, let requestor = self.catalogue.requestor(record.requestor),
            let mvpd = self.catalogue.mvpd(attempt.mvpd)
        else { throw EntitlementError(.loginUnknown) }
        let integration = self.catalogue.integration(requestor.id, mvpd.id)
        return LoginView(attempt: attempt, record: record, requestor: requestor, mvpd: mvpd.shown(by: integration))
    }

    func attemptID(_ token: String) -> AttemptID { AttemptID(bytes: self.keys.tokens.hash(of: token)) }
    func browserHash(_ browser: Browser) -> [UInt8] { self.keys.sessionHash(browser) }
}
