package import POSIX
import Synchronization

/// The outputs of a program: results on stdout, talk on stderr, so that a pipe gets only what it asked for.
package struct Console: Sendable {
    /// The lines of a command that are not written but shown as one value.
    package final class Transcript: Sendable {
        private let lines = Mutex<(results: [String], talk: [String])>(([], []))

        package init() {}
        package var results: [String] { self.lines.withLock { $0.results } }
        package var talk: [String] { self.lines.withLock { $0.talk } }
        fileprivate func add(result: String) { self.lines.withLock { $0.results.append(result) } }
        fileprivate func add(talk: String) { self.lines.withLock { $0.talk.append(talk) } }
    }

    private let results: BorrowedDescriptor
    private let talk: BorrowedDescriptor
    private var transcript: Transcript?

    package init(results: BorrowedDescriptor = .standardOutput, talk: BorrowedDescriptor = .standardError) {
        self.results = results
        self.talk = talk
    }

    package func writing(to transcript: Transcript) -> Console {
        var console = self
        console.transcript = transcript
        return console
    }

    package func terminal(environment: [String: String]) -> Terminal {
        Terminal(on: self.talk, environment: environment)
    }

    /// The machine's own screen where the talk goes there; `nil` of every other terminal.
    package var linuxConsole: LinuxConsole? { LinuxConsole(self.talk) }

    /// Writes a line of result.
    /// - Throws: when it cannot be written in full; a script must not take half an answer for success.
    package func result(_ line: String) throws(SystemError) {
        if let transcript = self.transcript { return transcript.add(result: line) }
        try self.results.write(Self.ended(line))
    }

    /// Writes a line of talk. When the other end is closed, the line is dropped.
    package func say(_ line: String) {
        if let transcript = self.transcript { return transcript.add(talk: line) }
        self.show(Self.ended(line))
    }

    /// The text with a line end; that of CSV is one already, though another character.
    private static func ended(_ line: String) -> String {
        line.utf8.last == UInt8(ascii: "\n") ? line : line + "\n"
    }

    /// Whether talk can be written without waiting.
    package var takesTalk: Bool { self.talk.takesMore }

    /// Writes talk as it is, such as a countdown that is drawn over itself.
    package func show(_ text: String) { try? self.talk.write(text) }
}
