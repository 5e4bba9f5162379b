import AccessEnabler
import Clientless
import CommandLineTool
import POSIX

extension Box {
    /// Signs in, and leaves the code live when a signal ends the wait.
    func pair(again: Bool, _ options: PairingOptions) async -> ExitCode {
        await self.perform(isConfigured: true) { () throws(EntitlementError) in
            let screen = PairingScreen(self.reporter, options)
            let signals = SignalStream([.interrupt, .terminate, .hangUp, .windowChange])
            defer {
                screen.clearCountdown()
                screen.dropPicture()
            }
            await screen.prepare()
            let ending = await withTaskGroup(of: Ending?.self) { group in
                group.addTask { .paired(await self.signIn(again: again, screen)) }
                group.addTask {
                    while let signal = await signals.next() {
                        guard signal == .windowChange else { return .signal(signal) }
                        screen.resize()
                    }
                    return nil
                }
                group.addTask {
                    await screen.countDown()
                    return nil
                }
                defer { group.cancelAll() }
                for await ending in group {
                    if let ending { return ending }
                }
                return .paired(.failure(EntitlementError(.cancelled)))
            }
            screen.clearCountdown()
            switch ending {
            case .paired(let result): return await self.tell(try result.get(), screen)
            case .signal(let signal):
                self.reporter.event("interrupted")
                self.reporter.say(
                    screen.hasShownCode
                        ? "Stopped. The code stays valid: 'latchkey pair' shows it again." : "Stopped.")
                return ExitCode(rawValue: 128 + signal.rawValue)
            }
        }
    }

    private enum Ending: Sendable {
        case paired(Result<PairingEnd, EntitlementError>)
        case signal(Signal)
    }

    private func signIn(again: Bool, _ screen: PairingScreen) async -> Result<PairingEnd, EntitlementError> {
        do throws(EntitlementError) {
            return .success(try await self.reach(again: again, screen))
        } catch {
            return .failure(error)
        }
    }

    private func reach(again: Bool, _ screen: PairingScreen) async throws(EntitlementError) -> PairingEnd {
        self.news.show { screen.show($0) }
        let kept = await self.enabler.keptCode(for: self.settings.requestor)
        if let kept { screen.show(.code(kept.code, left: kept.left, isResumed: true)) }
        try await self.configurePatiently(while: kept?.left, screen)
        if !again, kept == nil, case .authenticated(let id) = await self.enabler.authenticationStatus() {
            return .alreadySignedIn(await Account(id, self.enabler))
        }
        let (turn, end) = try await self.takeTurn(showing: kept?.code, screen)
        defer { withExtendedLifetime(turn) {} }
        if let end { return end }
        return try await self.poll(screen)
    }

    /// Waits until no other process asks about the code, and shows that code meanwhile.
    /// - Returns: the end, where the other one came to it.
    private func takeTurn(
        showing kept: AccessEnabler.RegistrationCode?, _ screen: PairingScreen
    ) async throws(EntitlementError) -> (PollerTurn?, PairingEnd?) {
        var shown = kept
        var isTold = false
        while true {
            if let turn = PollerTurn(beside: self.settings.stateFile) {
                return (turn, await self.end(ofShown: shown))
            }
            if !isTold {
                self.reporter.say("Another 'latchkey pair' waits for the sign-in already; this one shows its code.")
                isTold = true
            }
            if let other = await self.enabler.keptCode(for: self.settings.requestor), other.code.code != shown?.code {
                shown = other.code
                screen.show(.code(other.code, left: other.left, isResumed: true))
            }
            do {
                try await Task.sleep(for: .milliseconds(500))
            } catch {
                throw EntitlementError(.cancelled)
            }
        }
    }

    /// How the code on show ended in the process that asked about it before.
    /// - Returns: `nil` where that one was stopped, and this one goes on.
    private func end(ofShown shown: AccessEnabler.RegistrationCode?) async -> PairingEnd? {
        let left = await self.enabler.keptCode(for: self.settings.requestor)
        guard let shown, left?.code.code != shown.code else { return nil }
        // The store lets go of a code together with what it led to.
        if case .authenticated(let id) = await self.enabler.authenticationStatus() {
            return .signedIn(await Account(id, self.enabler))
        }
        return shown.timeLeft > .seconds(20) ? .over(.cancelled) : nil
    }

    /// Asks about one code after the other: a new one is asked for when the old one is over, so there is one poller.
    private func poll(_ screen: PairingScreen) async throws(EntitlementError) -> PairingEnd {
        var failures = 0
        var isRenewing = false
        while true {
            switch await self.enabler.authenticate(force: true) {
            case .authenticated(let id): return .signedIn(await Account(id, self.enabler))
            case .notAuthenticated: break
            }
            if let end = self.news.takeEnd() {
                guard end == .expired, screen.isRenewalDue else { return .over(end) }
                screen.renew()
                (isRenewing, failures) = (true, 0)
                continue
            }
            let failure = await self.enabler.lastFailure ?? EntitlementError(.cancelled)
            // There was a code on show, and the viewer may still come.
            guard isRenewing, failure.mayPass, !Task.isCancelled else { throw failure }
            if failures == 0 { screen.show(.connectionProblem(failure)) }
            do {
                try await Task.sleep(for: CodeRenewal.pause(afterFailures: failures))
            } catch {
                throw EntitlementError(.cancelled)
            }
            failures += 1
        }
    }

    /// With a code on show the server may take its time to be reachable; without one there is nothing to wait for.
    private func configurePatiently(while left: Duration?, _ screen: PairingScreen) async throws(EntitlementError) {
        let end = left.map { ContinuousClock.now + $0 }
        var isTold = false
        while true {
            do throws(EntitlementError) {
                try await self.configure()
                if isTold { screen.show(.connectionRestored) }
                return
            } catch {
                guard let end, ContinuousClock.now < end, error.mayPass else { throw error }
                if !isTold { screen.show(.connectionProblem(error)) }
                isTold = true
            }
            do {
                try await Task.sleep(for: self.settings.configuration.pollInterval)
            } catch {
                throw EntitlementError(.cancelled)
            }
        }
    }

    private func tell(_ end: PairingEnd, _ screen: PairingScreen) async -> ExitCode {
        switch end {
        case .signedIn(let account), .alreadySignedIn(let account):
            var isAlready = false
            if case .alreadySignedIn = end { isAlready = true }
            self.reporter.event("signedIn", account.members + ["already": .boolean(isAlready)])
            let shown = self.reporter.terminal.decorated(terminalSafe(account.name, limit: 80), .bold)
            self.reporter.say(
                isAlready
                    ? "This box is signed in with \(shown) already. 'latchkey pair --again' shows a new code."
                    : "Signed in with \(shown).")
            return .success
        case .over(.declined):
            self.reporter.event("declined")
            self.reporter.say("The sign-in was declined on the other screen. Nothing has changed on this box.")
            return .declined
        case .over(.cancelled):
            self.reporter.event("cancelled")
            self.reporter.say("The code was withdrawn. 'latchkey pair' shows a new one.")
            return .declined
        case .over(.expired):
            self.reporter.event("expired")
            self.reporter.say(
                screen.wasOpened
                    ? "The code ran out before the sign-in was finished. 'latchkey pair' shows a new one."
                    : "The code ran out before anybody signed in. 'latchkey pair' shows a new one.")
            return .expired
        }
    }
}

extension EntitlementError {
    /// Whether waiting may help: the server is away or has a fault.
    fileprivate var mayPass: Bool { self.code == .unreachable || self.code == .serverFault || self.code == .throttled }
}

/// How a pairing ended.
enum PairingEnd: Sendable {
    case signedIn(Account)
    /// A viewer was signed in before; no code was made.
    case alreadySignedIn(Account)
    case over(AccessEnabler.CodeEnd)
}
