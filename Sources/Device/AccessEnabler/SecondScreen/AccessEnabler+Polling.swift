import Clientless

// Waiting for the second screen (access-enabler 9.3). One question at a time.
extension AccessEnabler {
    func poll(_ attempt: Int) async {
        // A cancelled poll takes a moment to end; the next is not sent beside it.
        if self.isPolling { await withCheckedContinuation { self.waitingForPoll.append($0) } }
        self.isPolling = true
        await self.pollInTurn(attempt)
        guard self.waitingForPoll.isEmpty else { return self.waitingForPoll.removeFirst().resume() }
        self.isPolling = false
    }

    private func pollInTurn(_ attempt: Int) async {
        guard attempt == self.flow.attempt else { return }
        guard let code = self.login.code, let configuration = self.configuration else {
            return await self.advance(.failed(code: AccessEnablerError.genericAuthentication), of: attempt)
        }
        let facts = self.login.provider
        let backend = self.service(facts?.server ?? configuration.firstResponder).backend
        var watch = CodeWatch()
        var schedule = PollingSchedule(interval: self.settings.pollInterval, expires: code.expiresAt)
        var step = schedule.begin(at: backend.now)
        while case .poll(let poll) = step, attempt == self.flow.attempt {
            guard (try? await self.settings.clock.sleep(for: poll.pause)) != nil, attempt == self.flow.attempt
            else { return }
            // The clock may have been set meanwhile, by the network or by the server's answers.
            guard backend.now < code.expiresAt else { break }
            let hadProblem = schedule.hasProblem
            let answer: PollingSchedule.Answer
            let asked = ContinuousClock.now
            do {
                let found = try await self.call(about: facts) { (backend, caller) throws(EntitlementError) in
                    try await backend.session(code.code, poll, as: caller)
                }
                guard attempt == self.flow.attempt else { return }
                switch watch.consider(found) {
                case .signedIn(let session):
                    self.login.session = session
                    return await self.advance(.token)
                case .over(let end): return await self.codeIsOver(end, attempt)
                case .pending(let changed, let news):
                    if hadProblem { self.settings.pairingProgress?(.connectionRestored) }
                    for item in news { self.settings.pairingProgress?(item) }
                    answer = .pending(heldFor: found.isHeld ? ContinuousClock.now - asked : nil, changed: changed)
                }
            } catch {
                guard attempt == self.flow.attempt else { return }
                guard let failure = schedule.answer(to: error) else { return await self.pollingFailed(error) }
                answer = failure
                step = schedule.next(after: answer, at: backend.now, jitter: self.settings.randomness.unit)
                if schedule.hasProblem, !hadProblem { self.settings.pairingProgress?(.connectionProblem(error)) }
                continue
            }
            step = schedule.next(after: answer, at: backend.now, jitter: self.settings.randomness.unit)
        }
        guard attempt == self.flow.attempt else { return }
        await self.codeIsOver(.expired, attempt)
    }

    private func codeIsOver(_ end: CodeEnd, _ attempt: Int) async {
        try? await self.vault.update { $0.code = nil }
        guard attempt == self.flow.attempt else { return }
        self.settings.pairingProgress?(.ended(end))
        await self.advance(.codeOver)
    }

    private func pollingFailed(_ error: EntitlementError) async {
        self.reportDevice(error)
        self.lastFailure = error
        await self.advance(.failed(code: AccessEnablerError.genericAuthentication))
    }
}

extension PollingSchedule {
    /// Three failures in a row are worth telling (rest-v2 D-54).
    fileprivate var hasProblem: Bool { self.failures >= 3 }

    /// What an error means for the next question; none when asking again is no use.
    fileprivate func answer(to error: EntitlementError) -> Answer? {
        switch error.code {
        case .throttled: .throttled(retryAfter: error.retryAfter)
        case .unreachable, .serverFault, .malformedAnswer: .failed
        default: nil
        }
    }
}
