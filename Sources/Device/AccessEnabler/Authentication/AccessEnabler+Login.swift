import Clientless

// The authentication flow (access-enabler 9.2 to 9.4, 9.11, 9.12): it decides, this acts.
extension AccessEnabler {
    /// `getAuthentication`.
    func authenticate(_ request: AuthenticationRequest, _ reply: Reply<AuthenticationOutcome>?) async {
        guard self.gate == .open, let configuration = self.configuration else {
            let outcome = self.failAuthentication(AccessEnablerError.genericAuthentication)
            reply?(outcome)
            return
        }
        // A second call joins the run: no second picker, one end (access-enabler D-45).
        if self.flow.isRunning {
            if let reply { self.login.replies.append(reply) }
            return
        }
        let signIn = request.forced ? nil : await self.usableSignIn()
        if !request.forced { self.trackCheck(signIn) }
        if let signIn {
            self.report(.authenticationStatus(.success, code: AccessEnablerError.userAuthenticated))
            reply?(.authenticated(mvpdID: signIn.facts.id))
            return
        }
        self.login = Login(request: request, replies: reply.map { [$0] } ?? [])
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
        guard self.gate == .open, let configuration = self.configuration else {
            _ = self.failAuthentication(AccessEnablerError.genericAuthentication)
            return
        }
        guard let facts = configuration.provider(id) else {
            if self.flow.isRunning { return await self.advance(.providerUnknown) }
            _ = self.failAuthentication(AccessEnablerError.providerNotAvailable)
            return
        }
        self.closeDialog()
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

    /// Tells the flow what happened, and does what it says.
    func advance(_ event: AuthenticationFlow.Event) async {
        let attempt = self.flow.attempt
        let actions = self.flow.handle(event)
        if attempt != self.flow.attempt {
            // What the last attempt left under way is no longer wanted.
            self.login.cancellation.cancel()
            self.login.cancellation = Cancellation()
            if self.navigation?.purpose == .authentication { self.navigation = nil }
        }
        if self.flow.state != .platformDialog { self.closeDialog() }
        for action in actions { await self.perform(action) }
    }

    /// Tells the flow what came of an attempt, unless that attempt is over (access-enabler 9.10).
    func advance(_ event: AuthenticationFlow.Event, of attempt: Int) async {
        guard attempt == self.flow.attempt else { return }
        await self.advance(event)
    }

    private func perform(_ action: AuthenticationFlow.Action) async {
        switch action {
        case .askPlatformAccess: self.beside { await self.askPlatformAccess($0) }
        case .queryPlatform: self.beside { await self.queryPlatform($0) }
        case .exchangeProfile(let id): self.beside { await self.exchangeProfile(id, $0) }
        case .showPicker(let code):
            if let code { self.report(code.status) }
            self.report(.providerDialog(self.configuration?.providers.map(\.mvpd) ?? []))
        case .trackSelection(let id):
            self.report(.tracking(event: TrackingEvent.selectedProvider, data: self.tracking.selection(mvpdID: id)))
        case .requestCode(let id):
            self.login.provider = id.flatMap { self.configuration?.provider($0) }
            self.beside { await self.requestCode($0) }
        case .poll:
            self.beside { await self.poll($0) }
            if self.settings.givesBackMemoryWhilePolling { self.beside { _ in await staySmall() } }
        case .navigate: await self.navigate()
        case .retrieve: self.beside { await self.retrieveSession($0) }
        case .authenticateTemporarily(let id):
            self.login.provider = self.configuration?.provider(id)
            self.beside { await self.authenticateTemporarily($0) }
        case .store: await self.store()
        case .takeBack: await self.takeBack()
        case .report(let code): self.report(code.status)
        case .finish(let outcome): await self.endLogin(outcome)
        // A logout cleans up behind itself.
        case .abandon: break
        }
    }

    /// Runs `work` beside the mailbox, for the attempt that is under way.
    private func beside(_ work: @escaping @Sendable (_ attempt: Int) async -> Void) {
        let (attempt, cancellation) = (self.flow.attempt, self.login.cancellation)
        self.mailbox.run {
            await cancellation.guarding {
                guard await self.isUnderWay(attempt) else { return }
                await work(attempt)
            }
        }
    }

    private func isUnderWay(_ attempt: Int) -> Bool { attempt == self.flow.attempt }

    /// Before any further callback (access-enabler 10.4).
    private func closeDialog() {
        self.login.dialog?.end()
        self.login.dialog = nil
    }

    /// Another requestor (access-enabler D-54).
    func abortLogin() async { await self.advance(.requestorChanged) }
}

extension ProviderFacts {
    var forFlow: AuthenticationFlow.Provider {
        AuthenticationFlow.Provider(id: self.id, isImmediate: self.isImmediate, needsData: self.pass == .promotional)
    }
}
