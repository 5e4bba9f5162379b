import Clientless

/// A sign-in that counts.
struct CurrentSignIn: Sendable {
    let facts: ProviderFacts
    let stored: StoreImage.Authentication
    let token: AuthenticationToken
}

// "Is a viewer signed in?" (access-enabler 7.6, 10.6 step 3)
extension AccessEnabler {
    func checkAuthentication() async -> AuthenticationOutcome {
        guard self.gate == .open else {
            self.trackCheck(nil)
            return self.failAuthentication(AccessEnablerError.genericAuthentication)
        }
        let signIn = await self.signIn()
        let problem = await self.platformProblem(of: signIn)
        guard let signIn, problem == nil else {
            self.trackCheck(nil)
            self.report(problem ?? AdvancedStatus("N000", .info))
            return self.failAuthentication(AccessEnablerError.userNotAuthenticated)
        }
        self.trackCheck(signIn)
        self.report(.authenticationStatus(.success, code: AccessEnablerError.userAuthenticated))
        return .authenticated(mvpdID: signIn.facts.id)
    }

    func failAuthentication(_ code: String) -> AuthenticationOutcome {
        self.report(.authenticationStatus(.error, code: code))
        return .notAuthenticated(code: code)
    }

    /// The sign-in in use, if it is valid (access-enabler 11.3). No network.
    func signIn() async -> CurrentSignIn? {
        guard let configuration = self.configuration, let image = try? await self.vault.image(),
            let judge = await self.judge(configuration), let found = judge.current(image),
            let facts = configuration.provider(found.mvpdID), let token = self.read(found.token.xml)
        else { return nil }
        return CurrentSignIn(facts: facts, stored: found.token, token: token)
    }

    func judge(_ configuration: RequestorConfiguration) async -> TokenJudge? {
        guard let deviceID = try? await self.deviceID() else { return nil }
        return TokenJudge(
            configuration: configuration, deviceID: deviceID.text, deviceScope: self.settings.deviceScope,
            now: self.now(configuration))
    }

    private func read(_ xml: String) -> AuthenticationToken? {
        if let known = self.readToken, known.xml == xml { return known }
        self.readToken = try? AuthenticationToken(xml: xml)
        return self.readToken
    }

    func trackCheck(_ signIn: CurrentSignIn?) {
        self.report(
            .tracking(
                event: TrackingEvent.authentication,
                data: self.tracking.authentication(
                    mvpdID: signIn?.facts.id, guid: signIn.map { self.guid(of: $0) }, isCached: signIn != nil)))
    }

    /// The identifier that is hashed for reports: a pass has the device's (access-enabler D-20).
    func guid(of signIn: CurrentSignIn) -> String {
        signIn.facts.pass == nil ? signIn.token.guid : signIn.stored.boundDeviceID
    }
}
