import Clientless
import CommandLineTool

package struct CommandContext: Sendable {
    let console: Console
    let environment: [String: String]
    var now: @Sendable () -> Timestamp = SystemClock.now
}
