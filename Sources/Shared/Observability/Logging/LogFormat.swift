/// How a log line is written.
package enum LogFormat: String, CaseIterable, Sendable {
    /// For a person at a terminal, in colour.
    case terminal
    /// For a person reading a file or a pipe: like `terminal` without colour.
    case plain
    /// One JSON object a line.
    case json
    /// For journald, which adds the time itself: the priority in front (sd-daemon(3)).
    case journald
}
