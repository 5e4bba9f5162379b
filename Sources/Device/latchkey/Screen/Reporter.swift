import Clientless
import CommandLineTool

/// The members of an event, written in the order they are given.
struct EventMembers: ExpressibleByDictionaryLiteral {
    private(set) var list: [JSONValue.Member]

    init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.list = elements.map { JSONValue.Member($0.0, $0.1) }
    }

    static func + (left: EventMembers, right: EventMembers) -> EventMembers {
        var all = left
        all.list += right.list
        return all
    }
}

/// Speaks to a viewer, or in events to a program, never both.
final class Reporter: Sendable {
    let terminal: Terminal
    let isJSON: Bool
    private let console: Console

    init(console: Console, terminal: Terminal, isJSON: Bool) {
        self.console = console
        self.terminal = terminal
        self.isJSON = isJSON
    }

    /// A line for a viewer, on stderr.
    func say(_ line: String) {
        if !self.isJSON { self.console.say(line) }
    }

    /// Text for a viewer as it is, such as a countdown.
    func show(_ text: String) {
        if !self.isJSON { self.console.show(text) }
    }

    /// A line of stdout for a program, in `--json` mode.
    func event(_ name: String, _ members: EventMembers = [:]) {
        guard self.isJSON else { return }
        // A program that no longer reads its events has ended; SIGPIPE ends this one too.
        try? self.console.result(eventLine(name, members))
    }

    /// The result of a command: an event, or a line on stdout.
    @discardableResult
    func result(event name: String, _ members: EventMembers, _ line: String) -> ExitCode {
        do throws(Console.OutputError) {
            try self.console.result(self.isJSON ? eventLine(name, members) : line)
            return .success
        } catch {
            self.say("latchkey: The result cannot be written (errno \(error.code)).")
            return .stateProblem
        }
    }

    func warn(_ sentence: String) {
        self.event("warning", ["message": .string(sentence)])
        self.say(self.terminal.decorated("Note:", .yellow) + " \(sentence)")
    }

    /// The end of a command that did not do what it was asked for.
    func fail(code: String, _ sentence: String, exitCode: ExitCode) {
        self.event(
            "error",
            ["code": .string(code), "message": .string(sentence), "exitCode": .integer(Int64(exitCode.rawValue))])
        self.say("latchkey: \(sentence)")
    }
}

private func eventLine(_ name: String, _ members: EventMembers) -> String {
    JSONValue.object(
        [.init("version", .integer(1)), .init("event", .string(name))] + members.list
    ).text
}
