import AccessEnabler
import CommandLineTool
import POSIX

/// A pairing on the screen, whether this program asks the server about the code or the agent does.
struct PairingShow: Sendable {
    let reporter: Reporter
    let wishes: PairWishes
    /// The server as a viewer knows it.
    let server: String
    let phrases: BoxPhrases

    private enum Ending<Failure: Error>: Sendable {
        case paired(Result<PairingEnd, Failure>)
        case signal(Signal)
        case timeOver
    }

    /// Shows the pairing until it ends, and leaves the code live when a signal or the time limit ends the wait.
    /// - Parameter way: pairs, and tells the screen of it.
    func run<Failure: Error>(
        _ way: @escaping @Sendable (PairingScreen) async throws(Failure) -> PairingEnd
    ) async throws(Failure) -> ExitCode {
        let screen = PairingScreen(of: self)
        let signals = SignalStream([.interrupt, .terminate, .hangUp, .windowChange])
        defer {
            screen.clearCountdown()
            screen.dropPicture()
        }
        await screen.prepare()
        let ending = await self.ending(of: way, screen, signals)
        screen.clearCountdown()
        switch ending {
        case .paired(let result): return self.tell(try result.get(), screen)
        case .signal(let signal):
            let words = self.phrases.say(screen.hasLiveCode ? .stoppedKept : .stopped)
            return self.reporter.end(.interrupted, words, ExitCode(rawValue: 128 + signal.rawValue) ?? .terminated)
        case .timeOver:
            let message =
                screen.hasLiveCode
                ? self.phrases.say(.lateKept) : self.phrases.say(.lateUnreachable, ["server": self.server])
            return self.reporter.fail(
                BoxEvent.Failure(code: "timed_out", message: message),
                screen.hasLiveCode ? .timedOut : .unreachable)
        }
    }

    /// Waits until the pairing ends, a signal comes or the time limit passes, and keeps the screen up to date meanwhile.
    private func ending<Failure: Error>(
        of way: @escaping @Sendable (PairingScreen) async throws(Failure) -> PairingEnd, _ screen: PairingScreen,
        _ signals: SignalStream
    ) async -> Ending<Failure> {
        await withTaskGroup(of: Ending<Failure>?.self) { group in
            group.addTask { .paired(await Result { () async throws(Failure) in try await way(screen) }) }
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
            if let timeout = self.wishes.timeout {
                group.addTask { (try? await Task.sleep(for: timeout)) == nil ? nil : .timeOver }
            }
            defer { group.cancelAll() }
            for await ending in group {
                if let ending { return ending }
            }
            return .signal(.interrupt)
        }
    }

    private func tell(_ end: PairingEnd, _ screen: PairingScreen) -> ExitCode {
        screen.wipe()
        switch end {
        case .signedIn(let account, let isAlready):
            let shown = self.reporter.terminal.decorated(account.displayName, .bold)
            let words = self.phrases.say(isAlready ? .readyAlready : .ready, ["provider": shown])
            return self.reporter.end(.approved(account, isAlready: isAlready), words)
        case .over(.declined): return self.reporter.end(.declined, self.phrases.say(.declined), .declined)
        case .over(.cancelled): return self.reporter.end(.cancelled, self.phrases.say(.withdrawn), .declined)
        case .over(.expired), .over(.lost):
            let words = self.phrases.say(screen.wasOpened ? .expiredOpened : .expiredUnused)
            return self.reporter.end(.expired, words, .expired)
        case .noProvider:
            return self.reporter.fail(
                BoxEvent.Failure(
                    code: "no_provider",
                    message: self.phrases.say(.noProvider, ["server": self.server])), .noProvider)
        }
    }
}

enum PairingEnd: Sendable {
    /// - Parameter isAlready: whether a viewer was signed in before, and no code was made.
    case signedIn(BoxEvent.SignIn, isAlready: Bool = false)
    case over(AccessEnabler.CodeEnd)
    /// The server has no TV provider for the requestor, and so no code that would be of use.
    case noProvider
}
