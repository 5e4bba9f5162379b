package import Clientless
package import CommandLineTool

/// The surroundings of a command.
package struct CommandContext: Sendable {
    package let console: Console
    package let environment: [String: String]
    /// The current moment.
    package let now: @Sendable () -> Timestamp

    package init(
        console: Console, environment: [String: String], now: @escaping @Sendable () -> Timestamp = SystemClock.now
    ) {
        self.console = console
        self.environment = environment
        self.now = now
    }
}
