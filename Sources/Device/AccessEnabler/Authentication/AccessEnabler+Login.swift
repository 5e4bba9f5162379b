import Clientless
import Lifecycle

// The authentication flow (access-enabler 9.2 to 9.4, 9.11, 9.12): it decides, this acts.
extension AccessEnabler {
    /// `getAuthentication`.
    func authenticate(_ request: AuthenticationRequest, _ reply: Reply<AuthenticationOutcome>?) async {
        // A second call joins the run: no second picker, one end (access-enabler D-45). A run goes on while the
        // configuration cannot be renewed (D-54), and can be joined then, too.
        if self.flow.isRunning {
            if let reply { self.login.replies.append(reply) }
            return
        }
        guard self.gate == .open, let configuration = self.configuration else {
            return reply(self.failAuthentication(AccessEnablerError.genericAuthentication))
        }
        let signIn = request.forced ? nil : await self.usableSignIn()
        if !request.forced { self.trackCheck(signIn) }
        if let signIn {
            self.report(.authenticationStatus(.success, code: AccessEnablerError.userAuthenticated))
            return reply(.authenticated(mvpdID: signIn.facts.id))
        }
        self.loginFailure = nil
        self.login = Login(request: request, begunBy: reply?.caller, replies: reply.map { [$0] } ?? [])
        await self.advance(.begin(await self.situation(configuration, request)))
    }

    /// The sign-in in use, unless it came from a platform that no longer vouches for it.
    func usableSignIn() async -> CurrentSignIn? {
        guard let signIn = await self.signIn(), await self.platformProblem(of: signIn) == nil else { return nil }
        return signIn
    }

    private func situation(
        _ configuration: RequestorConfiguration, _ request: AuthenticationRequest
    ) async -> AuthenticationFlow.Situation {
        var situation = AuthenticationFlow.Situation(way: self.way)
        situation.preselected = self.preselected.flatMap { configuration.provider($0) }.map(\.forFlow)
        situation.hasPlatform =
            self.settings.platformSSO != nil && configuration.providers.contains(where: \.isPlatformCapable)
        situation.hasProviders = !configuration.providers.isEmpty
        situation.choosesOnSecondScreen =
            self.settings.interaction == .secondScreen && self.settings.providerChoice == .secondScreen
        situation.hasData = !request.data.isEmpty
        situation.cancelEnds = self.settings.platformPickerCancelPolicy == .abort
        if self.settings.reusesRememberedProvider, let image = try? await self.vault.image() {
            let branch = image[requestor: configuration.requestor.text]
            if branch.canAuthenticate {
                situation.remembered = branch.currentMvpd.flatMap { configuration.provider($0) }.map(\.forFlow)
            }
        }
        return situation
    }

    var way: AuthenticationFlow.Way { self.settings.interaction == .userAgent ? .userAgent : .secondScreen }

    /// `setSelectedProvider`.
    func select(_ id: String?) async {
        self.preselected = nil
        guard let id else {
            if self.flow.isRunning { return await self.advance(.providerCancelled) }
            self.report(AdvancedStatus("N005", .info))
            await self.rememberFailure()
            _ = self.failAuthentication(AccessEnablerError.providerNotSelected)
            return
        }
        // A login that is under way goes on with the configuration it began with (access-enabler D-54).
        guard self.gate == .open || self.flow.isRunning, let configuration = self.configuration else {
            _ = self.failAuthentication(AccessEnablerError.genericAuthentication)
            return
        }
        guard let facts = configuration.provider(id) else {
            if self.flow.isRunning { return await self.advance(.providerUnknown) }
            _ = self.failAuthentication(AccessEnablerError.providerNotAvailable)
            return
        }
        // Before any further callback (access-enabler 10.4).
        self.login.attempt.dialog?.end()
        self.report(.tracking(event: TrackingEvent.selectedProvider, data: self.tracking.selection(mvpdID: id)))
        if self.flow.isRunning {
            await self.advance(.providerSelected(facts.forFlow))
        } else if facts.pass == .basic {
            self.login = Login()
            await self.advance(.passChosen(facts.forFlow, self.way))
        } else {
            self.preselected = id
        }
    }

    func advance(_ event: AuthenticationFlow.Event) async {
        let former = (number: self.flow.attempt, attempt: self.login.attempt)
        let actions = self.flow.handle(event)
        // A run that ends still writes to the store: a login that is asked for meanwhile comes after it.
        let end = OneAnswer<Void>()
        if actions.contains(where: { if case .finish = $0 { true } else { false } }) { self.endsOfRuns.append(end) }
        defer {
            self.endsOfRuns.removeAll { $0 === end }
            end.give(())
        }
        let current = self.flow.attempt
        if current != former.number {
            // Work of the last attempt is no longer wanted, and nothing of it is carried on.
            former.attempt.cancellation.give()
            self.login.attempt = Login.Attempt()
            if self.navigation?.request.purpose == .authentication { self.navigation = nil }
            if event.dropsCode, let code = former.attempt.code { self.drop(code, of: former.attempt.provider) }
        }
        if self.flow.state != .platformDialog { former.attempt.dialog?.end() }
        for action in actions { await self.perform(action, of: current, after: former.attempt) }
    }

    /// Decides whether what an effect found out still counts, after it waited: only while its attempt is under way
    /// (access-enabler 9.10). This is the one place that does.
    /// - Returns: whether it counted.
    @discardableResult
    func settle(_ finding: Finding, of attempt: Int) async -> Bool {
        guard attempt == self.flow.attempt else {
            // No viewer has seen a code that came late.
            if let code = finding.code { self.drop(code, of: code.mvpdID.flatMap { self.configuration?.provider($0) }) }
            return false
        }
        if let code = finding.code { self.login.attempt.code = code }
        finding.change(&self.login.attempt)
        if let failure = finding.failure {
            self.loginFailure = failure
            self.reportDevice(failure)
        }
        for item in finding.progress { self.settings.pairingProgress?(item) }
        for event in finding.reports { self.report(event) }
        if let page = finding.page { self.open(page) }
        if let event = finding.event { await self.advance(event) }
        return true
    }

    private func perform(_ action: AuthenticationFlow.Action, of attempt: Int, after former: Login.Attempt) async {
        switch action {
        case .askPlatformAccess: self.begin(attempt) { enabler, _ in await enabler.askPlatformAccess() }
        case .queryPlatform: self.begin(attempt) { await $0.queryPlatform($1, of: attempt) }
        case .exchangeProfile(let id): self.begin(attempt) { await $0.exchangeProfile(id, $1) }
        case .showPicker(let code):
            if let code { self.report(code) }
            self.report(.providerDialog(self.configuration?.providers.map(\.mvpd) ?? []))
        case .trackSelection(let id):
            self.report(.tracking(event: TrackingEvent.selectedProvider, data: self.tracking.selection(mvpdID: id)))
        case .requestCode(let id):
            self.begin(attempt, with: id) { await $0.requestCode($1) }
        case .poll: self.beginPolling(attempt)
        case .navigate: self.begin(attempt) { await $0.navigate($1) }
        case .retrieve: self.begin(attempt) { await $0.retrieveSession($1) }
        case .authenticateTemporarily(let id):
            self.begin(attempt, with: id) { await $0.authenticateTemporarily($1) }
        case .store: self.begin(attempt) { await $0.store($1, of: attempt) }
        case .takeBack: await self.takeBack(former)
        case .report(let status): self.report(status)
        case .finish(let outcome): await self.endLogin(outcome, former)
        // A logout cleans up behind itself.
        case .abandon: break
        }
    }

    /// Begins an effect of an attempt beside the mailbox, unless the attempt is over before it began.
    /// - Parameter provider: what the attempt carries from now on.
    private func begin(
        _ attempt: Int, with provider: String? = nil,
        _ effect: @escaping @Sendable (AccessEnabler, LoginEffect) async -> Finding?
    ) {
        guard let step = self.step(of: attempt, with: provider) else { return }
        self.mailbox.run { [weak self] in
            guard let self else { return }
            if let finding = await step.carried.cancellation.guarding({ await effect(self, step) }) {
                await self.settle(finding, of: attempt)
            }
        }
    }

    /// The start of an effect of `attempt`; `nil` when another attempt has begun.
    private func step(of attempt: Int, with provider: String?) -> LoginEffect? {
        guard attempt == self.flow.attempt, let configuration = self.configuration else { return nil }
        if let provider { self.login.attempt.provider = configuration.provider(provider) }
        return LoginEffect(request: self.login.request, carried: self.login.attempt, configuration: configuration)
    }

    /// Polling lasts as long as a code, so that nothing of it keeps the library alive between two questions.
    private func beginPolling(_ attempt: Int) {
        guard let step = self.step(of: attempt, with: nil) else { return }
        let (former, own) = (self.lastPolling, OneAnswer<Void>())
        self.lastPolling = own
        let staysSmall = self.settings.givesBackMemoryWhilePolling
        self.mailbox.run { [weak self] in
            defer { own.give(()) }
            await former?.value()
            let end = await step.carried.cancellation.guarding { [weak self] in
                // Ends with the polling: leaving the closure cancels it.
                async let _: Void = staysSmall ? staySmall() : ()
                guard let polling = await self?.polling(step) else { return CodePolling.End.stopped }
                return await polling.run { [weak self] in await self?.settle($0, of: attempt) ?? false }
            }
            if let end, let finding = await self?.finding(of: end, step) { await self?.settle(finding, of: attempt) }
        }
    }
}

extension AuthenticationFlow.Event {
    /// Whether the viewer, or the application, let go of a code that is on show.
    fileprivate var dropsCode: Bool {
        switch self {
        case .providerSelected, .providerCancelled, .providerUnknown, .requestorChanged: true
        // A logout withdraws the code by itself; the others are the end of it.
        case .begin, .passChosen, .accessGranted, .platform, .token, .codeObtained, .navigationEnded, .failed, .stored,
            .logout:
            false
        }
    }
}

extension ProviderFacts {
    var forFlow: AuthenticationFlow.Provider {
        AuthenticationFlow.Provider(id: self.id, isImmediate: self.isImmediate, needsData: self.pass == .promotional)
    }
}
