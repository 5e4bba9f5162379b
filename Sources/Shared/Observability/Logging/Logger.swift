import POSIX

/// Writes log lines: a constant message, and facts beside it, of the line, the logger and the ``LogContext``.
package struct Logger: Sendable {
    package var level: LogLevel
    private var component: StaticString
    private let format: LogFormat
    private let sink: LogSink
    private let clock: @Sendable () -> Int64
    private var facts: LogFacts = [:]

    /// - Parameter clock: the time on the lines, in milliseconds since 1970; the wall clock but in tests.
    package init(
        component: StaticString, level: LogLevel = .info, format: LogFormat = .plain, sink: LogSink = .standardError,
        clock: @escaping @Sendable () -> Int64 = WallClock.milliseconds
    ) {
        self.component = component
        self.level = level
        self.format = format
        self.sink = sink
        self.clock = clock
    }

    /// Says nothing, for tests.
    package static let silent = Logger(component: "silent", level: .error, sink: .none)

    /// The same log for another part of the program.
    package func named(_ component: StaticString) -> Logger {
        var copy = self
        copy.component = component
        return copy
    }

    /// The same log with facts on every line.
    package func with(_ facts: LogFacts) -> Logger {
        var copy = self
        copy.facts = copy.facts.adding(facts)
        return copy
    }

    package func debug(_ message: StaticString, _ facts: @autoclosure () -> LogFacts = [:]) {
        self.log(.debug, message, facts())
    }

    package func info(_ message: StaticString, _ facts: @autoclosure () -> LogFacts = [:]) {
        self.log(.info, message, facts())
    }

    package func notice(_ message: StaticString, _ facts: @autoclosure () -> LogFacts = [:]) {
        self.log(.notice, message, facts())
    }

    package func warning(_ message: StaticString, _ facts: @autoclosure () -> LogFacts = [:]) {
        self.log(.warning, message, facts())
    }

    package func error(_ message: StaticString, _ facts: @autoclosure () -> LogFacts = [:]) {
        self.log(.error, message, facts())
    }

    /// Whether a line of this level is written; for facts that are dear to gather.
    package func isEnabled(_ level: LogLevel) -> Bool { level >= self.level }

    package func log(_ level: LogLevel, _ message: StaticString, _ facts: @autoclosure () -> LogFacts = [:]) {
        guard self.isEnabled(level) else { return }
        let line = LogLine(
            time: self.clock(), level: level, component: self.component.description, message: message.description,
            facts: LogContext.facts.adding(self.facts).adding(facts()))
        self.sink.write(line.text(in: self.format))
    }
}

/// The work of the current task, such as a request. Each line that it writes tells it, whichever part of the program
/// writes the line.
package enum LogContext {
    /// The facts, gathered when a line is written and not before: most work writes none.
    typealias Facts = @Sendable () -> LogFacts

    @TaskLocal private static var present: Facts?

    /// The facts of the task at hand; none outside of ``with(_:_:)``.
    static var facts: LogFacts { self.present?() ?? [:] }

    /// Runs `work`. Its lines, and those of the tasks that it begins, tell `facts` besides their own. A line's own fact
    /// of the same name counts.
    package static func with<Value>(_ facts: @escaping @Sendable () -> LogFacts, _ work: () -> Value) -> Value {
        self.$present.withValue(facts, operation: work)
    }
}

package struct LogSink: Sendable {
    /// Takes one line with its line break. May be called from any thread.
    let write: @Sendable (String) -> Void

    package init(write: @escaping @Sendable (String) -> Void) { self.write = write }

    /// Standard error. A line is written with one system call, so lines of several threads do not mix.
    package static let standardError = LogSink { line in
        // A log that cannot be written has no place to say so.
        try? BorrowedDescriptor.standardError.write(line)
    }

    package static let none = LogSink { _ in }
}
