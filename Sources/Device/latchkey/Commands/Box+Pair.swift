import AccessEnabler
import Clientless
import CommandLineTool
import POSIX

extension Box {
    /// Signs in, and leaves the code live when a signal ends the wait.
    func pair(again: Bool) async -> ExitCode {
        await self.perform { () throws(EntitlementError) in
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
                group.addTask {
                    await self.staySmall()
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

    /// Gives memory back once the first question is on its way, and after those that follow.
    private func staySmall() async {
        var pause = Duration.milliseconds(250)
        while (try? await Task.sleep(for: pause)) != nil {
            ThisProcess.releaseCode()
            pause = .seconds(60)
        }
    }

    private enum Ending: Sendable {
        case paired(Result<PairingEnd, EntitlementError>)
        case signal(Signal)
    }

    private func signIn(again: Bool, _ screen: PairingScreen) async -> Result<PairingEnd, EntitlementError> {
        do throws(EntitlementError) {
            return .success(try await self.enabler.signIn(again: again) { screen.show($0) })
        } catch {
            return .failure(error)
        }
    }

    private func tell(_ end: PairingEnd, _ screen: PairingScreen) async -> ExitCode {
        switch end {
        case .signedIn(let account), .alreadySignedIn(let account):
            var isAlready = false
            if case .alreadySignedIn = end { isAlready = true }
            let name = await self.enabler.displayName(of: account)
            self.reporter.event(
                "signedIn", accountMembers(account, name: name) + ["already": .boolean(isAlready)])
            let shown = self.reporter.terminal.decorated(terminalSafe(name, limit: 80), .bold)
            self.reporter.say(
                isAlready
                    ? "This box is signed in with \(shown) already. 'latchkey pair --again' shows a new code."
                    : "Signed in with \(shown).")
            return .success
        case .declined:
            self.reporter.event("declined")
            self.reporter.say("The sign-in was declined on the other screen. Nothing has changed on this box.")
            return .declined
        case .cancelled:
            self.reporter.event("cancelled")
            self.reporter.say("The code was withdrawn. 'latchkey pair' shows a new one.")
            return .declined
        case .expired:
            self.reporter.event("expired")
            self.reporter.say("The code ran out before anybody signed in. 'latchkey pair' shows a new one.")
            return .expired
        }
    }
}
