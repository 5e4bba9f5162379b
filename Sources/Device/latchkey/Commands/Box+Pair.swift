import AccessEnabler
import BoxEvents
import Clientless
import CommandLineTool
import POSIX

extension Box {
    /// Signs in, and leaves the code live when a signal or the time limit ends the wait.
    func pair(_ wishes: PairWishes) async -> ExitCode {
        await self.perform(isConfigured: true) { () throws(EntitlementError) in
            let screen = PairingScreen(self.reporter, settings: self.settings)
            let signals = SignalStream([.interrupt, .terminate, .hangUp])
            defer { screen.clearCountdown() }
            let ending = await withTaskGroup(of: Ending?.self) { group in
                group.addTask { .paired(await self.signIn(wishes, screen)) }
                group.addTask { await signals.next().map(Ending.signal) }
                group.addTask {
                    await screen.countDown()
                    return nil
                }
                if let timeout = wishes.timeout {
                    group.addTask { (try? await Task.sleep(for: timeout)) == nil ? nil : .timeOver }
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
                self.reporter.event(.interrupted)
                self.reporter.say(
                    screen.hasShownCode
                        ? "Stopped. The code stays valid: 'latchkey pair' shows it again." : "Stopped.")
                return ExitCode(rawValue: 128 + signal.rawValue)
            case .timeOver:
                return self.reporter.fail(
                    BoxEvent.Failure(
                        code: "timed_out",
                        message: screen.hasShownCode
                            ? "Nobody signed in in time. The code stays valid: 'latchkey pair' shows it again."
                            : "\(self.settings.serverName) could not be reached in time."),
                    screen.hasShownCode ? .timedOut : .unreachable)
            }
        }
    }

    private enum Ending: Sendable {
        case paired(Result<PairingEnd, EntitlementError>)
        case signal(Signal)
        case timeOver
    }

    private func signIn(_ wishes: PairWishes, _ screen: PairingScreen) async -> Result<PairingEnd, EntitlementError> {
        do throws(EntitlementError) {
            return .success(try await self.reach(wishes, screen))
        } catch {
            return .failure(error)
        }
    }

    private func reach(_ wishes: PairWishes, _ screen: PairingScreen) async throws(EntitlementError) -> PairingEnd {
        self.news.show { screen.show($0) }
        let kept = await self.enabler.keptCode(for: self.settings.requestor)
        if let kept { screen.show(.code(kept.code, left: kept.left, isResumed: true)) }
        try await self.configurePatiently(while: kept?.left, wishes, screen)
        if !wishes.again, kept == nil, case .authenticated(let id) = await self.enabler.authenticationStatus() {
            return .alreadySignedIn(await self.signIn(id))
        }
        switch await self.enabler.authenticate(force: true) {
        case .authenticated(let id): return .signedIn(await self.signIn(id))
        case .notAuthenticated:
            if let end = self.news.end { return .over(end) }
            throw await self.enabler.lastFailure ?? EntitlementError(.cancelled)
        }
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
            var pause = end == nil ? backOff.pause(.random(in: 0..<1)) : self.settings.configuration.pollInterval
            do throws(EntitlementError) {
                try await self.configure()
                if told != nil { screen.show(.connectionRestored) }
                return
            } catch {
                let isWorthIt = end.map { ContinuousClock.now < $0 } ?? wishes.waitsForServer
                guard isWorthIt, error.isWorthWaiting else { throw error }
                if error.code == .throttled, let retryAfter = error.retryAfter {
                    self.reporter.event(.slowDown(retryAfter: retryAfter.components.seconds))
                    pause = max(pause, retryAfter)
                }
                let sentence = Sentence(
                    error, server: self.settings.serverName, clock: await self.clockDoubt(error)
                ).text
                // Each cause once: the clock may be set while the box waits, and then something else is wrong.
                if told != sentence { screen.showProblem(sentence) }
                told = sentence
            }
            do {
                try await Task.sleep(for: pause)
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
            self.reporter.event(.approved(account, isAlready: isAlready))
            let shown = self.reporter.terminal.decorated(account.displayName, .bold)
            self.reporter.say(
                isAlready
                    ? "This box is signed in with \(shown) already. 'latchkey pair --again' shows a new code."
                    : "Signed in with \(shown).")
            return .success
        case .over(.declined):
            self.reporter.event(.declined)
            self.reporter.say("The sign-in was declined on the other screen. Nothing has changed on this box.")
            return .declined
        case .over(.cancelled):
            self.reporter.event(.cancelled)
            self.reporter.say("The code was withdrawn. 'latchkey pair' shows a new one.")
            return .declined
        case .over(.expired):
            self.reporter.event(.expired)
            self.reporter.say("The code ran out before anybody signed in. 'latchkey pair' shows a new one.")
            return .expired
        }
    }
}

/// How a pairing ended.
enum PairingEnd: Sendable {
    case signedIn(BoxEvent.SignIn)
    /// A viewer was signed in before; no code was made.
    case alreadySignedIn(BoxEvent.SignIn)
    case over(AccessEnabler.CodeEnd)
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
