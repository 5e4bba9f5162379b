import AccessEnabler
import CommandLineTool

// The way of a pairing: the server, the turn to ask it about a code, and one code after the other.
extension Box {
    /// Signs in with a code that this program asks about.
    func pair(_ wishes: PairWishes) async throws(EntitlementError) -> ExitCode {
        let show = PairingShow(
            reporter: self.reporter, wishes: wishes, server: self.settings.serverName, phrases: self.phrases)
        return try await show.run { (screen) throws(EntitlementError) in try await self.reach(wishes, screen) }
    }

    private func reach(_ wishes: PairWishes, _ screen: PairingScreen) async throws(EntitlementError) -> PairingEnd {
        self.news.show { screen.show($0) }
        let kept = await self.enabler.keptCode(for: self.settings.requestor)
        if let kept { screen.show(.code(kept.code, left: kept.left, isResumed: true)) }
        try await self.configurePatiently(while: kept?.left, wishes, screen)
        if !wishes.again, kept == nil, case .authenticated(let id) = await self.enabler.authenticationStatus() {
            var isOver = false
            do throws(EntitlementError) {
                isOver = try await self.enabler.checkedSignIn() == nil
            } catch {
                guard error.isWorthWaiting else { throw error }
                self.reporter.warn(error.sentence(server: self.settings.serverName, in: self.phrases).text)
            }
            if !isOver { return .signedIn(await self.signIn(id), isAlready: true) }
        }
        let (turn, end) = try await self.takeTurn(showing: kept?.code, screen)
        defer { withExtendedLifetime(turn) {} }
        if let end { return end }
        return try await self.poll(screen)
    }

    /// Asks until the server answers: a box is often quicker than its router, and its clock may be wrong until a time
    /// service has set it. With a code on show it ends with that; where nothing may come of waiting, at once.
    private func configurePatiently(
        while left: Duration?, _ wishes: PairWishes, _ screen: PairingScreen
    ) async throws(EntitlementError) {
        let end = left.map { ContinuousClock.now + $0 }
        var backOff = StartBackOff()
        var told: String?
        while true {
            let pause = end == nil ? backOff.pause(.random(in: 0..<1)) : self.settings.configuration.pollInterval
            do throws(EntitlementError) {
                try await self.configure()
                if told != nil { screen.show(.connectionRestored) }
                return
            } catch {
                let isWorthIt = end.map { ContinuousClock.now < $0 } ?? wishes.waitsForServer
                guard isWorthIt, error.isWorthWaiting else { throw error }
                let asked = self.pauseAsked(by: error)
                let sentence = error.sentence(
                    server: self.settings.serverName, clock: await self.clockDoubt(error),
                    settings: self.settings, in: self.phrases
                ).text
                // Each cause once: the clock may be set while the box waits, and then something else is wrong.
                if told != sentence { screen.showProblem(sentence, isUnusual: error.code == .untrusted) }
                told = sentence
                try await self.rest(for: max(pause, asked))
            }
        }
    }

    /// Waits until no other process asks about the code, and shows that code meanwhile.
    /// - Returns: the end, where the other one came to it.
    private func takeTurn(
        showing kept: AccessEnabler.RegistrationCode?, _ screen: PairingScreen
    ) async throws(EntitlementError) -> (PairingTurn?, PairingEnd?) {
        let stateFile = self.settings.stateFile(of: self.settings.requestor)
        var shown = kept
        var isTold = false
        while true {
            if let turn = PairingTurn(beside: stateFile) { return (turn, await self.end(ofShown: shown)) }
            if !isTold {
                screen.remark(self.phrases.say(.codeShared))
                isTold = true
            }
            if let other = await self.enabler.keptCode(for: self.settings.requestor), other.code.code != shown?.code {
                shown = other.code
                screen.show(.code(other.code, left: other.left, isResumed: true))
            }
            try await self.rest(for: .milliseconds(500))
        }
    }

    /// How the code on show ended in the process that asked about it before.
    /// - Returns: `nil` if that one was stopped, and this one goes on.
    private func end(ofShown shown: AccessEnabler.RegistrationCode?) async -> PairingEnd? {
        let left = await self.enabler.keptCode(for: self.settings.requestor)
        guard let shown, left?.code.code != shown.code else { return nil }
        // The store lets go of a code together with what it led to.
        if case .authenticated(let id) = await self.enabler.authenticationStatus() {
            return .signedIn(await self.signIn(id))
        }
        return shown.timeLeft > .seconds(20) ? .over(.cancelled) : nil
    }

    /// Asks about one code after the other: a new one is asked for when the old one is over, so there is one poller.
    private func poll(_ screen: PairingScreen) async throws(EntitlementError) -> PairingEnd {
        var failures = 0
        var isRenewing = false
        while true {
            switch await self.enabler.authenticate(force: true) {
            case .authenticated(let id): return .signedIn(await self.signIn(id))
            case .notAuthenticated(AccessEnablerError.providerNotAvailable): return .noProvider
            case .notAuthenticated: break
            }
            if let end = self.news.takeEnd() {
                guard screen.isRenewalDue(after: end) else { return .over(end) }
                screen.renew()
                (isRenewing, failures) = (true, 0)
                continue
            }
            let failure = await self.enabler.loginFailure ?? EntitlementError(.cancelled)
            // There was a code on show, and the viewer may still come.
            guard isRenewing, failure.isWorthWaiting, !Task.isCancelled else { throw failure }
            let asked = self.pauseAsked(by: failure)
            if failures == 0 { screen.show(.connectionProblem(failure)) }
            try await self.rest(for: max(CodeRenewal.pause(afterFailures: failures), asked))
            failures += 1
        }
    }

    /// How long a busy server wants to be left alone, which programs are told; zero of any other failure.
    private func pauseAsked(by error: EntitlementError) -> Duration {
        guard error.code == .throttled, let retryAfter = error.retryAfter else { return .zero }
        self.reporter.event(.slowDown(retryAfter: retryAfter.components.seconds))
        return retryAfter
    }

    private func rest(for pause: Duration) async throws(EntitlementError) {
        guard (try? await Task.sleep(for: pause)) != nil else { throw EntitlementError(.cancelled) }
    }
}

extension EntitlementError {
    /// Whether the same question may be answered later, without a change on the box or at the server.
    fileprivate var isWorthWaiting: Bool {
        switch self.code {
        case .unreachable, .serverFault, .throttled: true
        case .noAccessToken: (self.status ?? 500) >= 500
        // A clock that is wrong is often set soon.
        case .untrusted: ClockDoubt(fault: self.certificateFault).isAboutTime
        default: false
        }
    }
}
