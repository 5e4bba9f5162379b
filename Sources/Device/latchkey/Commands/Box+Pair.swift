import AccessEnabler
import Clientless
import CommandLineTool
import POSIX

extension Box {
    /// Signs in, and leaves the code live when a signal ends the wait.
    func pair(again: Bool) async -> ExitCode {
        await self.perform(isConfigured: true) { () throws(EntitlementError) in
            let screen = PairingScreen(self.reporter, settings: self.settings)
            let signals = SignalStream([.interrupt, .terminate, .hangUp])
            defer { screen.clearCountdown() }
            let ending = await withTaskGroup(of: Ending?.self) { group in
                group.addTask { .paired(await self.signIn(again: again, screen)) }
                group.addTask { await signals.next().map(Ending.signal) }
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
        switch await self.enabler.authenticate(force: true) {
        case .authenticated(let id): return .signedIn(await Account(id, self.enabler))
        case .notAuthenticated:
            if let end = self.news.end { return .over(end) }
            throw await self.enabler.lastFailure ?? EntitlementError(.cancelled)
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
                guard let end, ContinuousClock.now < end, error.code == .unreachable || error.code == .serverFault
                else { throw error }
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
            self.reporter.say("The code ran out before anybody signed in. 'latchkey pair' shows a new one.")
            return .expired
        }
    }
}

/// How a pairing ended.
enum PairingEnd: Sendable {
    case signedIn(Account)
    /// A viewer was signed in before; no code was made.
    case alreadySignedIn(Account)
    case over(AccessEnabler.CodeEnd)
}
