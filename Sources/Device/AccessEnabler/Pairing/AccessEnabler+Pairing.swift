import Clientless

extension AccessEnabler {
    /// Signs in on the second screen: shows a code through `progress`, and waits until it is used, refused or over.
    ///
    /// A live code of an earlier run is shown again instead of a new one, and stays live when the task is cancelled.
    /// - Parameter again: makes a code although somebody is signed in.
    /// - Throws: `cancelled`, `state`, or what keeps the box from getting a code; while waiting, failures of the way
    ///   are
    ///   reported and outlasted.
    package func signIn(
        again: Bool = false, progress: @escaping @Sendable (PairingProgress) -> Void
    ) async throws(EntitlementError) -> PairingEnd {
        let (requestor, _) = try await self.identity()
        let known = try await self.store.read()[server: self.configuration.environment.base]
        var before = known.signIn.map {
            Authentication(mvpdID: $0.mvpd, expires: Timestamp(milliseconds: $0.expires))
        }
        var code = known.resumableCode(requestor, at: self.backend.now)
        let isResumed = code != nil
        // A code on show is shown again before anything is asked: after a power cut the box may be up before its
        // network.
        if code == nil {
            before = try await self.account()
            if !again, let before { return .alreadySignedIn(before) }
            code = try await self.newCode()
        }
        guard let code else { throw EntitlementError(.malformedAnswer) }
        progress(.code(code, left: code.expiresAt - self.backend.now, isResumed: isResumed))
        self.report(code)
        return try await self.finish(try await self.wait(for: code, before: before, progress))
    }

    /// Asks until `code` has come to an end.
    private func wait(
        for code: RegistrationCode, before: Authentication?, _ progress: @escaping @Sendable (PairingProgress) -> Void
    ) async throws(EntitlementError) -> PairingEnd {
        var waiting = Waiting(code: code, before: before)
        var schedule = PollingSchedule(interval: self.configuration.pollInterval, expires: code.expiresAt)
        var step = schedule.begin(at: self.backend.now)
        while case .poll(let poll) = step {
            try await self.pause(poll.pause)
            // The clock may have been set meanwhile, by the network or by the server's answers.
            guard self.backend.now < code.expiresAt else { break }
            let hadProblem = schedule.hasProblem
            let answer: PollingSchedule.Answer
            var cause: EntitlementError?
            let asked = ContinuousClock.now
            do {
                let found = try await self.call { (caller) throws(EntitlementError) in
                    try await self.ask(waiting, poll, caller)
                }
                switch waiting.consider(found, askedFor: poll.hold != nil) {
                case .end(let end): return end
                case .pending(let changed, let news):
                    if hadProblem { progress(.connectionRestored) }
                    for item in news { progress(item) }
                    answer = .pending(heldFor: found.isHeld ? ContinuousClock.now - asked : nil, changed: changed)
                }
            } catch {
                answer = try schedule.answer(to: error)
                cause = error
            }
            step = schedule.next(after: answer, at: self.backend.now, jitter: self.configuration.randomness.unit)
            if let cause, schedule.hasProblem, !hadProblem { progress(.connectionProblem(cause)) }
        }
        return .expired
    }

    /// The sign-in on this device, as the server knows it now; `nil` when there is none.
    package func account() async throws(EntitlementError) -> Authentication? {
        let base = self.configuration.environment.base
        let poll = PollingSchedule.Poll(pause: .zero, hold: nil, timeout: .seconds(20))
        let answer = try await self.call { (caller) throws(EntitlementError) in
            try await self.backend.poll(device: poll, as: caller)
        }
        guard case .signedIn(let account) = answer.verdict else {
            let known = try await self.store.read()[server: base].signIn
            if known != nil { try await self.store.update { $0[server: base].signIn = nil } }
            return nil
        }
        return account
    }

    /// What the provider calls itself; its ID where the server does not say.
    package func displayName(of account: Authentication) async -> String {
        guard let requestor = self.requestor else { return account.mvpdID }
        let name = try? await self.backend.displayName(ofProvider: account.mvpdID, requestor: requestor)
        return name ?? account.mvpdID
    }

    /// A new code, in the state file before anybody sees it.
    private func newCode() async throws(EntitlementError) -> RegistrationCode {
        let base = self.configuration.environment.base
        let (requestor, _) = try await self.identity()
        let fresh = try await self.call { (caller) throws(EntitlementError) in
            try await self.backend.registrationCode(
                lifetime: self.configuration.codeLifetime, activationURL: self.configuration.activationURL, as: caller)
        }
        let now = self.backend.now
        return try await self.store.update { state in
            // Another program may have been quicker; two that wait for one code are both answered.
            if let other = state[server: base].resumableCode(requestor, at: now) { return other }
            state[server: base].code = ServerState.Code(
                code: fresh.code, requestor: requestor.text, expires: fresh.expiresAt.milliseconds,
                loginURL: fresh.loginURL)
            return fresh
        }
    }

    private func ask(
        _ waiting: Waiting, _ poll: PollingSchedule.Poll, _ caller: Caller
    ) async throws(EntitlementError) -> PollAnswer {
        switch waiting.question {
        case .code: try await self.backend.poll(waiting.code.code, poll, as: caller)
        case .device: try await self.backend.poll(device: poll, as: caller)
        }
    }

    private func pause(_ duration: Duration) async throws(EntitlementError) {
        guard duration > .zero else { return }
        do {
            try await self.configuration.clock.sleep(for: duration)
        } catch {
            throw EntitlementError(.cancelled)
        }
    }

    /// Forgets the code, keeps what came of it, and reports it.
    private func finish(_ end: PairingEnd) async throws(EntitlementError) -> PairingEnd {
        let base = self.configuration.environment.base
        let (requestor, _) = try await self.identity()
        try await self.store.update { state in
            state[server: base].code = nil
            if case .signedIn(let account) = end {
                state[server: base].signIn = ServerState.SignIn(
                    requestor: requestor.text, mvpd: account.mvpdID, expires: account.expires.milliseconds)
            }
        }
        switch end {
        case .signedIn, .alreadySignedIn:
            self.hub.send(.authenticationStatus(.success, code: AccessEnablerError.userAuthenticated))
        case .expired:
            self.hub.send(.status(AdvancedStatus("N130", .error)))
            self.hub.send(.authenticationStatus(.error, code: AccessEnablerError.genericAuthentication))
        case .declined, .cancelled:
            self.hub.send(.authenticationStatus(.error, code: AccessEnablerError.genericAuthentication))
        }
        return end
    }

    /// The two forms of "show this code" (access-enabler 8.14).
    private func report(_ code: RegistrationCode) {
        var further = ["registrationCode": code.code, "expires": String(code.expiresAt.milliseconds)]
        further["loginURL"] = code.loginURL
        further["mvpd"] = code.mvpdID
        self.hub.send(.status(AdvancedStatus("REGCODE", .success, message: code.code, further: further)))
        self.hub.send(.registrationCode(code))
    }
}

extension ServerState {
    /// The kept code, if it is this requestor's and can still be used.
    fileprivate func resumableCode(_ requestor: RequestorID, at now: Timestamp) -> RegistrationCode? {
        // With less left than it takes to scan it, a new one serves better.
        guard let kept = self.code, kept.requestor == requestor.text, kept.expires > now.milliseconds + 15_000,
            let text = RegistrationCodeText(kept.code)
        else { return nil }
        return RegistrationCode(
            code: text, loginURL: kept.loginURL, expires: Timestamp(milliseconds: kept.expires))
    }
}

extension PollingSchedule {
    /// Three failures in a row are worth telling (rest-v2 D-54).
    fileprivate var hasProblem: Bool { self.failures >= 3 }

    /// What an error means for the next question.
    /// - Throws: the error itself, when asking again is no use.
    fileprivate func answer(to error: EntitlementError) throws(EntitlementError) -> Answer {
        switch error.code {
        case .throttled: return .throttled(retryAfter: error.retryAfter)
        case .unreachable, .serverFault, .malformedAnswer: return .failed
        default: throw error
        }
    }
}
