import AccessEnabler
import BoxEvents
import Clientless
import CommandLineTool
import FoundationEssentials
import Synchronization
import TerminalQR

/// The screen while a box is being paired: address, code, QR code, countdown, and news.
final class PairingScreen: Sendable {
    private struct State {
        var end: ContinuousClock.Instant?
        var isCounting = false
        var connectionNote: String?
        var shownCode: String?
    }

    /// Lines below the drawing: an empty one, address, code, that the code was shown before, the countdown. Not one
    /// more: a short address fills a terminal of 24 rows to the last.
    private static let linesBelow = 5

    private let reporter: Reporter
    private let serverName: String
    private let state = Mutex(State())

    init(_ reporter: Reporter, settings: Settings) {
        self.reporter = reporter
        self.serverName = settings.serverName
    }

    func show(_ progress: AccessEnabler.PairingProgress) {
        self.clearCountdown()
        switch progress {
        case .code(let code, let left, let isResumed): self.show(code, left: left, isResumed: isResumed)
        case .state(let state):
            switch state {
            case .loggingIn:
                self.reporter.event(.signingIn)
                self.reporter.say("Somebody is signing in …")
            case .confirming:
                self.reporter.event(.confirming)
                self.reporter.say("Signed in there; please confirm this box on the other screen.")
            case .waiting: self.reporter.event(.pageLeft)
            case .completed, .declined, .cancelled, .expired: break
            }
        case .providerRefused(let reason):
            self.reporter.event(.providerRefused(message: reason))
            let words = reason.map { ": \(terminalSafe($0))" } ?? "."
            self.reporter.say("The provider refused\(words) The code can be used again.")
        case .connectionProblem(let error):
            self.showProblem(Sentence(error, server: self.serverName).text)
        case .connectionRestored:
            self.reporter.event(.reachable)
            self.state.withLock { $0.connectionNote = nil }
            self.reporter.say("The server answers again.")
        case .ended: break
        }
    }

    /// Says that the server does not answer as it should, and that the box keeps trying.
    func showProblem(_ sentence: String) {
        self.clearCountdown()
        self.reporter.event(.unreachable(message: sentence))
        self.state.withLock { $0.connectionNote = "no connection to the server, still trying" }
        self.reporter.say("\(sentence) This box keeps trying.")
    }

    private func show(_ code: AccessEnabler.RegistrationCode, left: Duration, isResumed: Bool) {
        let isShown = self.state.withLock { state in
            defer { state.shownCode = code.code }
            // The library has learnt the server's clock since; the box's own may be wrong.
            if state.shownCode == code.code { state.end = .now + left }
            return state.shownCode == code.code
        }
        // Shown before the network was up, and now by the library.
        guard !isShown else { return }
        self.reporter.event(
            .codeIssued(
                BoxEvent.IssuedCode(
                    code: code.code, displayCode: code.grouped, url: code.qrPayload, pageURL: code.loginURL,
                    expires: code.expiresAt.milliseconds, isResumed: isResumed)))
        let terminal = self.reporter.terminal
        var lines: [String] = []
        var note: String?
        if let payload = code.qrPayload {
            switch drawing(of: payload, on: terminal, linesBelow: Self.linesBelow) {
            case .drawing(let drawing): lines += drawing.lines + [""]
            case .none(let why): note = why
            }
        }
        if let url = code.loginURL {
            lines.append("On a phone or computer, open  \(terminal.decorated(url, .bold))")
            lines.append("and enter the code            \(terminal.decorated(code.grouped, .bold))")
        } else {
            lines.append("Enter this code on the provider's page:  \(terminal.decorated(code.grouped, .bold))")
        }
        if isResumed { lines.append("(This code was shown before and is still valid.)") }
        if let note { lines.append("(\(note))") }
        // In one piece, so that nothing else comes between.
        self.reporter.say(lines.joined(separator: "\n"))
        // A clock of its own: the time of day may be set while the code is on the screen.
        self.state.withLock { $0.end = .now + left }
    }

    /// Whether there has been a code to look at.
    var hasShownCode: Bool { self.state.withLock { $0.end != nil } }

    /// Draws the time that is left over itself, once a second; returns at once where there is no terminal to do so.
    func countDown() async {
        guard self.reporter.terminal.understandsEscapes, !self.reporter.isJSON else { return }
        while !Task.isCancelled {
            self.drawCountdown()
            do {
                try await Task.sleep(for: .seconds(1))
            } catch {
                return
            }
        }
    }

    private func drawCountdown() {
        self.state.withLock { state in
            guard let end = state.end else { return }
            let left = max(0, (end - .now).components.seconds)
            let seconds = left % 60
            let time = "\(left / 60):\(seconds < 10 ? "0" : "")\(seconds)"
            let note = state.connectionNote.map { " (\($0))" } ?? ""
            state.isCounting = true
            // Carriage return, erase the line (ECMA-48 EL).
            self.reporter.show("\r\u{1B}[KWaiting, \(time) left\(note) ")
        }
    }

    /// Makes room for words where the countdown stands.
    func clearCountdown() {
        self.state.withLock { state in
            guard state.isCounting else { return }
            state.isCounting = false
            self.reporter.show("\r\u{1B}[K")
        }
    }
}
