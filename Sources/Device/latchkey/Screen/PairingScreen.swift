import AccessEnabler
import CommandLineTool
import FoundationEssentials
import POSIX
import Synchronization
import TerminalQR

/// The screen while a box is being paired: address, code, QR code, countdown, and news.
///
/// On a terminal that understands escape sequences all of it stands still: news goes into the line that counts down, and
/// a new size draws everything anew. Elsewhere each news is a line that goes by.
final class PairingScreen: Sendable {
    private struct State {
        var survey: TerminalSurvey
        var size: Terminal.Size?
        var code: AccessEnabler.RegistrationCode?
        /// How long the code was to live when it was first shown.
        var life: Duration = .zero
        /// How many codes in a row were too brief to be scanned.
        var brief = 0
        /// How many codes in a row the server lost.
        var lost = 0
        var end: ContinuousClock.Instant?
        var status = PairingStatus()
        var remarks: [String] = []
        /// The trouble on the way to the server, where the line that counts down does not say it.
        var trouble: String?
        var isCounting = false
        /// Whether a code was drawn where everything stands still.
        var isDrawn = false
        /// Whether a picture of the terminal's own is on the screen, which letters do not wipe out.
        var hasPictureDrawn = false
        var hasPicture = false

        /// Goes to the first place of the screen. Terminals keep a copy of a screen that is erased at once in their history, so
        /// only pictures are.
        var start: String { self.hasPictureDrawn ? "\u{1B}[H\u{1B}[2J" : "\u{1B}[H" }
        var sentences: [String] { self.remarks + (self.trouble.map { [$0] } ?? []) }
    }

    /// A terminal far away takes a quarter of a second to answer; one that does not is not waited for any longer.
    private static let patience: Duration = .milliseconds(250)
    /// The pixels of a module in a file.
    private static let scale = 8

    private let reporter: Reporter
    private let wishes: PairWishes
    private let serverName: String
    private let phrases: BoxPhrases
    /// The reporter writes to it, too.
    private let descriptor = BorrowedDescriptor.standardError
    private let state: Mutex<State>

    init(of show: PairingShow) {
        self.reporter = show.reporter
        self.wishes = show.wishes
        self.serverName = show.server
        self.phrases = show.phrases
        let survey = TerminalSurvey(show.reporter.terminal, on: self.descriptor)
        self.state = Mutex(State(survey: survey, size: show.reporter.terminal.size))
    }

    /// Whether everything stands still.
    private var isLive: Bool { self.reporter.terminal.understandsEscapes && !self.reporter.isJSON }

    /// Asks the terminal what it shows, if that is not known.
    func prepare() async {
        let survey = self.state.withLock(\.survey)
        guard self.isLive, survey.needsAnswers(for: self.wishes.forms) else { return }
        let answer: [UInt8] = await withCheckedContinuation { continuation in
            // It blocks its thread, and tasks have one alone.
            SerialThread().run {
                continuation.resume(
                    returning: TerminalDialogue.ask(
                        self.descriptor, TerminalAnswers.question, patience: Self.patience
                    ) { TerminalAnswers($0).isComplete })
            }
        }
        self.state.withLock { $0.survey.answers = TerminalAnswers(answer) }
        // Clears the question, which a terminal that does not know it has shown.
        self.reporter.show("\r\u{1B}[K")
    }

    func show(_ progress: AccessEnabler.PairingProgress) {
        switch progress {
        case .code(let code, let left, let isResumed): self.show(code, left: left, isResumed: isResumed)
        case .pageOpened: self.tell(.opened, .pageOpened)
        case .state(let state): self.show(state)
        case .providerRefused(let reason):
            self.reporter.event(.providerRefused(message: reason))
            switch reason {
            case AccessEnabler.PairingProgress.wrongCredentials: self.remark(self.phrases.say(.refusedPassword))
            case let words?: self.remark(self.phrases.say(.refusedBecause, ["reason": terminalSafe(words)]))
            case nil: self.remark(self.phrases.say(.refused))
            }
        case .connectionProblem(let error):
            self.showProblem(error.sentence(server: self.serverName, in: self.phrases).text)
        case .connectionRestored:
            self.reporter.event(.reachable)
            self.setCutOff(false, self.phrases.say(.troubleOver))
        case .ended: break
        }
    }

    private func show(_ state: AccessEnabler.CodeState) {
        switch state {
        case .loggingIn: self.tell(.loggingIn, .signingIn)
        case .confirming: self.tell(.confirming, .confirming)
        case .waiting:
            self.reporter.event(.pageLeft)
            self.state.withLock { $0.status.reach(.waiting) }
        case .completed, .declined, .cancelled, .expired: break
        }
    }

    /// Says that the server does not answer as it should, and that the box keeps trying.
    /// - Parameter isUnusual: whether it is something else than that there is no connection, and has to be read.
    func showProblem(_ sentence: String, isUnusual: Bool = false) {
        self.reporter.event(.unreachable(message: sentence))
        self.setCutOff(
            true, self.phrases.say(.troubleTrying, ["problem": sentence]), trouble: isUnusual ? sentence : nil)
    }

    private func tell(_ step: PairingStatus.Step, _ news: BoxEvent.News) {
        self.reporter.event(news)
        self.state.withLock { $0.status.reach(step) }
        if self.isLive { self.drawCountdown() } else { self.reporter.say(step.sentence(in: self.phrases)) }
    }

    /// - Parameters:
    ///   - sentence: for where lines go by.
    ///   - trouble: for where everything stands still; `nil` if the line that counts down says it.
    private func setCutOff(_ isCutOff: Bool, _ sentence: String, trouble: String? = nil) {
        let (hasCode, isOtherTrouble) = self.state.withLock { state in
            defer { state.trouble = trouble }
            state.status.isCutOff = isCutOff
            return (state.code != nil, state.trouble != trouble)
        }
        guard self.isLive, hasCode else { return self.reporter.say(sentence) }
        if isOtherTrouble { self.draw(clearing: true) } else { self.drawCountdown() }
    }

    /// Words that a viewer has to read in peace.
    func remark(_ sentence: String) {
        let hasCode = self.state.withLock { $0.code != nil }
        guard self.isLive, hasCode else { return self.reporter.say(sentence) }
        self.state.withLock { $0.remarks = [sentence] }
        self.draw(clearing: true)
    }

    private func show(_ code: AccessEnabler.RegistrationCode, left: Duration, isResumed: Bool) {
        let (isShown, isNews, wasCutOff) = self.state.withLock { state in
            if let former = state.code, former.code == code.code {
                // The library has learnt the server's clock since; the box's own may be wrong.
                state.end = .now + left
                state.code = code
                if left >= CodeRenewal.shortestLife { state.brief = 0 }
                return (true, abs((code.timeLeft - former.timeLeft).components.seconds) > 5, false)
            }
            // A clock of its own: the time of day may be set while the code is on the screen.
            state.end = .now + left
            state.life = left
            state.brief = left < CodeRenewal.shortestLife ? state.brief + 1 : 0
            state.code = code
            defer { (state.status, state.trouble) = (PairingStatus(), nil) }
            state.remarks = isResumed ? [self.phrases.say(.codeResumed)] : []
            return (false, true, state.status.isCutOff)
        }
        // A code that follows another says by itself that the server answers again; a program has to be told.
        if wasCutOff { self.reporter.event(.reachable) }
        if isNews { self.reporter.event(.codeIssued(code.issued(isResumed: isResumed))) }
        // Shown before the network was up, and now by the library.
        guard !isShown else { return }
        self.keepPicture(of: code)
        self.draw(clearing: self.state.withLock(\.isDrawn))
    }

    /// The time is up, and no viewer came: the next code takes the place of this one.
    func renew() {
        self.wipe()
        self.dropPicture()
        self.state.withLock { ($0.code, $0.hasPicture) = (nil, false) }
        self.reporter.say(self.phrases.say(.codeRenewed))
    }

    /// Takes a code that is over from the screen: a viewer would type it in vain.
    func wipe() {
        self.clearCountdown()
        self.state.withLock { state in
            guard state.isDrawn else { return }
            self.reporter.show(state.start + "\u{1B}[K\n\u{1B}[J\u{1B}[H")
            state.hasPictureDrawn = false
        }
    }

    /// Whether the code that is over may be followed by another one.
    func isRenewalDue(after reason: AccessEnabler.CodeEnd) -> Bool {
        self.state.withLock { state in
            guard !self.wishes.showsOneCode, state.code != nil, let end = state.end else { return false }
            switch reason {
            case .declined, .cancelled: return false
            case .expired:
                state.lost = 0
                return CodeRenewal.isDue(wasOpened: state.status.wasOpened, brief: state.brief, left: end - .now)
            case .lost:
                state.lost += 1
                return state.lost <= CodeRenewal.mostLost
            }
        }
    }

    var wasOpened: Bool { self.state.withLock(\.status.wasOpened) }
    /// Whether there is a code that a viewer may use.
    var hasLiveCode: Bool { self.state.withLock { $0.code != nil } }
}

// The bytes that go to the terminal.
extension PairingScreen {
    func resize() {
        guard self.isLive, let size = self.descriptor.terminalSize else { return }
        let hasCode = self.state.withLock { state in
            state.size = Terminal.Size(columns: size.columns, rows: size.rows)
            return state.code != nil
        }
        if hasCode { self.draw(clearing: true) }
    }

    private func draw(clearing: Bool) {
        guard !self.reporter.isJSON else { return }
        let text = self.state.withLock { state -> String? in
            guard let code = state.code else { return nil }
            let isHere = code.loginURL.flatMap { URL(string: $0)?.host() }.map(isOfThisComputer) ?? false
            let forms = isHere && self.wishes.forms == nil ? [] : self.wishes.forms
            let canvas = state.survey.canvas(for: forms, size: state.size)
            guard canvas.columns != nil else { return self.line(for: code, state.life, state.sentences, canvas) }
            let words = PairingWords(
                payload: canvas.forms.isEmpty ? nil : code.payload, address: code.loginURL, code: code.grouped,
                phrases: self.phrases, isHere: isHere, remarks: state.sentences)
            let layout = PairingLayout(words, on: canvas)
            let encoding = state.survey.encoding
            // In one piece, so that nothing else comes between.
            var text = (clearing ? state.start : state.isCounting ? "\r\u{1B}[K" : "") + encoding.before
            if let picture = layout.picture {
                // Room for all lines first: where the screen has to move, the picture would stay behind.
                text += String(repeating: "\n", count: layout.lines.count) + "\u{1B}[\(layout.lines.count)A"
                text += "\u{1B}7\(picture)\u{1B}8"
            }
            let end = clearing && layout.picture == nil ? "\u{1B}[K\n" : "\n"
            text += layout.lines.map { $0 + end }.joined() + (clearing ? "\u{1B}[J" : "") + encoding.after
            (state.isCounting, state.isDrawn, state.hasPictureDrawn) = (false, self.isLive, layout.picture != nil)
            return text
        }
        guard let text else { return }
        self.reporter.show(text)
        if self.isLive { self.drawCountdown() }
    }

    /// All in one line where lines go by; a QR code only where it was asked for by name.
    private func line(
        for code: AccessEnabler.RegistrationCode, _ life: Duration, _ remarks: [String], _ canvas: Canvas
    ) -> String {
        if !canvas.forms.isEmpty, let payload = code.payload {
            let words = PairingWords(
                payload: payload, address: code.loginURL, code: code.grouped, phrases: self.phrases,
                remarks: remarks)
            return PairingLayout(words, on: canvas).lines.map { $0 + "\n" }.joined()
        }
        let minutes = Int(max(1, (life.components.seconds + 30) / 60))
        var text =
            code.loginURL.map {
                self.phrases.say(.lineOpen, ["address": $0, "code": code.grouped], count: minutes)
            } ?? self.phrases.say(.lineProvider, ["code": code.grouped], count: minutes)
        for remark in remarks { text += " (\(remark))" }
        return text + "\n"
    }

    /// Draws the time that is left over itself, once a second; returns at once if there is no terminal to do so.
    func countDown() async {
        guard self.isLive else { return }
        while !Task.isCancelled {
            self.drawCountdown()
            guard (try? await Task.sleep(for: .seconds(1))) != nil else { return }
        }
    }

    private func drawCountdown() {
        self.state.withLock { state in
            // The box goes on asking while its terminal stands still.
            guard let end = state.end, state.code != nil, self.reporter.console.takesTalk else { return }
            state.isCounting = true
            let line = state.status.line(left: end - .now, width: (state.size?.columns ?? 80) - 1, in: self.phrases)
            // Carriage return, erase the line (ECMA-48 EL).
            self.reporter.show("\r\u{1B}[K\(line)")
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

// The picture in a file.
extension PairingScreen {
    private func keepPicture(of code: AccessEnabler.RegistrationCode) {
        guard let path = self.wishes.picture, let symbol = code.payload.flatMap({ try? QRCode(smallest: $0) })
        else { return }
        do throws(SystemError) {
            try PrivateFile(path).replace(QRPicture(symbol, scale: Self.scale).png)
            self.state.withLock { $0.hasPicture = true }
        } catch {
            self.reporter.warn("--qr-png: \(terminalSafe(path)) cannot be written: \(error).")
        }
    }

    /// Takes the picture away: a code that no box waits for leads a viewer nowhere.
    func dropPicture() {
        guard let path = self.wishes.picture, self.state.withLock(\.hasPicture) else { return }
        try? PrivateFile(path).remove()
    }
}

extension AccessEnabler.RegistrationCode {
    /// The content of the QR code: the shortest address there is.
    fileprivate var payload: String? { self.shortURL ?? self.qrPayload }
}
