import AccessEnabler
import BoxEvents
import BoxWords
import CommandLineTool
import POSIX

extension Box {
    /// Signs in, and leaves the code live when a signal or the time limit ends the wait.
    func pair(_ wishes: PairWishes) async -> ExitCode {
        await self.perform(isConfigured: true) { () throws(EntitlementError) in
            let screen = PairingScreen(
                self.reporter, wishes, server: self.settings.serverName, in: self.phrases)
            let signals = SignalStream([.interrupt, .terminate, .hangUp, .windowChange])
            defer {
                screen.clearCountdown()
                screen.dropPicture()
            }
            await screen.prepare()
            let ending = await withTaskGroup(of: Ending?.self) { group in
                group.addTask { .paired(await self.signIn(wishes, screen)) }
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
                self.reporter.say(self.phrases.say(screen.hasLiveCode ? .stoppedKept : .stopped))
                return ExitCode(rawValue: 128 + signal.rawValue)
            case .timeOver:
                return self.reporter.fail(
                    BoxEvent.Failure(
                        code: "timed_out",
                        message: screen.hasLiveCode
                            ? self.phrases.say(.lateKept)
                            : self.phrases.say(.lateUnreachable, ["server": self.settings.serverName])),
                    screen.hasLiveCode ? .timedOut : .unreachable)
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

    private func tell(_ end: PairingEnd, _ screen: PairingScreen) async -> ExitCode {
        switch end {
        case .signedIn(let account), .alreadySignedIn(let account):
            var isAlready = false
            if case .alreadySignedIn = end { isAlready = true }
            self.reporter.event(.approved(account, isAlready: isAlready))
            let shown = self.reporter.terminal.decorated(account.displayName, .bold)
            self.reporter.say(self.phrases.say(isAlready ? .readyAlready : .ready, ["provider": shown]))
            return .success
        case .over(.declined):
            screen.wipe()
            self.reporter.event(.declined)
            self.reporter.say(self.phrases.say(.declined))
            return .declined
        case .over(.cancelled):
            screen.wipe()
            self.reporter.event(.cancelled)
            self.reporter.say(self.phrases.say(.withdrawn))
            return .declined
        case .over(.expired), .over(.lost):
            screen.wipe()
            self.reporter.event(.expired)
            self.reporter.say(self.phrases.say(screen.wasOpened ? .expiredOpened : .expiredUnused))
            return .expired
        case .noProvider:
            return self.reporter.fail(
                BoxEvent.Failure(
                    code: "no_provider",
                    message: self.phrases.say(.noProvider, ["server": self.settings.serverName])), .noProvider)
        }
    }
}

/// How a pairing ended.
enum PairingEnd: Sendable {
    case signedIn(BoxEvent.SignIn)
    /// A viewer was signed in before; no code was made.
    case alreadySignedIn(BoxEvent.SignIn)
    case over(AccessEnabler.CodeEnd)
    /// The server has no TV provider for the requestor, and so no code that would be of use.
    case noProvider
}
