import POSIX

/// The right to ask the server about the box's code: one process has it at a time, whoever shows the code besides.
final class PollerTurn: Sendable {
    private let lock: FileLock?

    /// Takes the turn, until this is released or the process ends.
    /// - Parameter stateFile: the state that processes share; the lock is beside it.
    /// - Returns: `nil` while another process has it.
    init?(beside stateFile: String) {
        do throws(SystemError) {
            self.lock = try FileLock("\(stateFile).pairing", patience: .zero)
        } catch {
            guard error != .locked else { return nil }
            // Where no lock can be made no code can be kept either, and so shared.
            self.lock = nil
        }
    }
}
