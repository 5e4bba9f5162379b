import POSIX

/// The right to ask the server about the code of a requestor: one process of the box has it at a time, the agent or a
/// `latchkey pair`, which may show the code besides.
package final class PairingTurn: Sendable {
    private let lock: FileLock?

    /// Takes the turn, until this is released or the process ends.
    /// - Parameter stateFile: the state that the processes share; the lock is beside it.
    /// - Returns: `nil` while another process has it.
    package init?(beside stateFile: String) {
        do throws(SystemError) {
            try Folder.makePrivate(Folder.containing(stateFile))
            self.lock = try FileLock("\(stateFile).pairing", patience: .zero)
        } catch {
            guard error != .locked else { return nil }
            // Where no lock can be made no code can be kept either, and so shared.
            self.lock = nil
        }
    }
}
