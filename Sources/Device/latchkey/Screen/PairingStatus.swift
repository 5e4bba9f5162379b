import CommandLineTool

/// How far a pairing is, in the words of the line that counts down, and of the lines that go by elsewhere.
struct PairingStatus: Hashable, Sendable {
    enum Step: Hashable, Sendable {
        case waiting, opened, loggingIn, confirming

        func sentence(in phrases: BoxPhrases) -> String {
            phrases.say(.stepLine, ["step": phrases.say(self.phrase)])
        }

        /// The words without a full stop.
        fileprivate var phrase: BoxPhrase {
            switch self {
            case .waiting: .stepWaiting
            case .opened: .stepOpened
            case .loggingIn: .stepSigningIn
            case .confirming: .stepConfirming
            }
        }
    }

    var step = Step.waiting
    /// Whether a viewer entered the code at any time.
    private(set) var wasOpened = false
    var isCutOff = false

    /// Goes on to a step; back to waiting is also one.
    mutating func reach(_ step: Step) {
        self.step = step
        if step != .waiting { self.wasOpened = true }
    }

    /// The line that counts down, cut to a row after a whole word. The time comes first if it would be cut off.
    /// - Parameter width: one column less than there are, or terminals go on to the next row.
    func line(left: Duration, width: Int, in phrases: BoxPhrases) -> String {
        let left = max(0, left.components.seconds)
        let seconds = left % 60
        let (step, time) = (phrases.say(self.step.phrase), "\(left / 60):\(seconds < 10 ? "0" : "")\(seconds)")
        let sentence = phrases.say(self.isCutOff ? .stepCutOff : .stepLeft, ["step": step, "time": time])
        let row = Self.row(of: sentence, width: width)
        return row.contains(time) ? row : Self.row(of: "\(time) \(step)", width: width)
    }

    /// A text that fits a row, or as many of its words as do, and three full stops.
    private static func row(of text: String, width: Int) -> String {
        guard cellCount(text) > width else { return text }
        return clipped((wrapped(text, width: max(width - 3, 1)).first ?? "") + "...", width: width)
    }
}

/// When a code that ran out makes place for a new one without a viewer's doing.
enum CodeRenewal {
    /// Less is no time to scan it.
    static let shortestLife: Duration = .seconds(15)
    /// A server that loses more codes in a row would be asked without end.
    static let mostLost = 3

    /// - Parameters:
    ///   - wasOpened: whether a viewer entered the old one: who comes too late has to see that.
    ///   - brief: how many codes in a row lived for less than ``shortestLife``. A server that gives out codes which are
    ///     over at once would be asked without end.
    ///   - left: how long the code was to live still; a server that ended it sooner meant something by it.
    static func isDue(wasOpened: Bool, brief: Int, left: Duration) -> Bool {
        !wasOpened && brief < 2 && left < .seconds(5)
    }

    /// The pause before the server is asked for a new code once more, while it does not answer.
    static func pause(afterFailures failures: Int) -> Duration {
        min(.seconds(5) * (1 << min(failures, 4)), .seconds(60))
    }
}
