import Clientless
import CommandLineTool

/// The surroundings of a command.
package struct CommandContext: Sendable {
    let console: Console
    let environment: [String: String]
    /// The current moment.
    var now: @Sendable () -> Timestamp = SystemClock.now
}
