import Clientless
import CommandLineTool
import POSIX

/// Speaks to a viewer, or in events to a program, never both.
struct Reporter: Sendable {
    let console: Console
    let terminal: Terminal
    let isJSON: Bool
    /// The channel brand that every event is about; `nil` if there is none.
    var requestor: String?

    func about(_ requestor: String) -> Reporter {
        Reporter(console: self.console, terminal: self.terminal, isJSON: self.isJSON, requestor: requestor)
    }

    /// A line for a viewer, on stderr; on a terminal that is narrower, parted between words.
    func say(_ line: String) {
        if !self.isJSON { self.console.say(parted(line, columns: self.terminal.size?.columns)) }
    }

    /// Text for a viewer as it is, such as a countdown.
    func show(_ text: String) { if !self.isJSON { self.console.show(text) } }

    /// A line of stdout for a program, in `--json` mode.
    func event(_ news: BoxEvent.News) {
        guard self.isJSON else { return }
        // A program that no longer reads its events has ended; SIGPIPE ends this one too.
        try? self.console.result(self.line(news))
    }

    /// The result of a command: an event, or text on stdout.
    @discardableResult
    func result(_ news: BoxEvent.News, _ text: String, _ exitCode: ExitCode = .success) -> ExitCode {
        do throws(SystemError) {
            let text = self.isJSON ? self.line(news) : text
            if !text.isEmpty { try self.console.result(text) }
            return exitCode
        } catch {
            self.say("latchkey: The result cannot be written (errno \(error.code)).")
            return .stateProblem
        }
    }

    /// The end of a command: an event for a program, a sentence on stderr for a viewer.
    func end(_ news: BoxEvent.News, _ sentence: String, _ exitCode: ExitCode = .success) -> ExitCode {
        self.event(news)
        self.say(sentence)
        return exitCode
    }

    func warn(_ sentence: String) {
        self.event(.warning(message: sentence))
        self.say(self.terminal.decorated("Note:", .yellow) + " \(sentence)")
    }

    /// The end of a command that did not do what it was asked for.
    @discardableResult
    func fail(_ failure: BoxEvent.Failure, _ exitCode: ExitCode) -> ExitCode {
        var told = failure
        told.exitCode = exitCode.rawValue
        return self.end(.error(told), "latchkey: \(failure.message)", exitCode)
    }

    func fail(_ fault: CommandFault) -> ExitCode { self.fail(fault.failure, fault.exitCode) }

    private func line(_ news: BoxEvent.News) -> String {
        BoxEvent(news, at: Timestamp(milliseconds: WallClock.milliseconds()), requestor: self.requestor).line
    }
}

/// Sentences on rows of a screen, which would cut words at its edge. Lines that have room stay as they are, and so does a
/// word that is longer than a row, such as an address.
/// - Parameter columns: of the screen; `nil` if it has no edge.
func parted(_ text: String, columns: Int?) -> String {
    guard let columns else { return text }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.flatMap { line in
        cellCount(line) > columns ? wrapped(String(line), width: columns) : [String(line)]
    }.joined(separator: "\n")
}
