import AccessEnabler
import Lifecycle
import Synchronization
import POSIX

/// The one pairing of a requestor, for the callers that look at it and the library that reports to it.
final class PairingBoard: Sendable {
    private struct State {
        var record: PairingRecord?
        var cancellation = StopSignal()
        /// The first code, or why there was none.
        var code = OneAnswer<Result<PairingRecord.Shown, AgentError>>()
        var end = OneAnswer<Void>()
    }

    private let state = Mutex(State())

    var isRunning: Bool { self.state.withLock { $0.record != nil } }
    var shown: PairingRecord.Shown? { self.state.withLock { $0.record?.shown } }
    /// Given when the pairing that runs is to end.
    var cancellation: StopSignal { self.state.withLock { $0.cancellation } }

    /// - Returns: `false` when one runs already.
    func begin() -> Bool {
        self.state.withLock { state in
            guard state.record == nil else { return false }
            state = State(record: PairingRecord())
            return true
        }
    }

    /// Changes the record of the pairing that runs; does nothing without one.
    func change<Result: Sendable>(_ body: (inout PairingRecord) -> Result) -> Result? {
        self.state.withLock { state in
            guard var record = state.record else { return nil }
            let result = body(&record)
            state.record = record
            if let shown = record.shown { state.code.give(.success(shown)) }
            return result
        }
    }

    /// Lets the pairing that runs end.
    /// - Returns: `false` when none runs.
    func cancel() -> Bool {
        let signal = self.state.withLock { state -> StopSignal? in
            guard state.record != nil else { return nil }
            state.record?.isCancelled = true
            return state.cancellation
        }
        signal?.give()
        return signal != nil
    }

    /// The pairing is over, for this reason as far as a caller still waits for its code.
    func end(_ reason: AgentError) {
        self.state.withLock { state in
            state.record = nil
            state.code.give(.failure(reason))
            state.end.give(())
        }
    }

    func code() async throws(AgentError) -> PairingRecord.Shown {
        let (record, code) = self.state.withLock { ($0.record, $0.code) }
        guard let record else { throw AgentError(.conflict, "The pairing ended before it had a code.") }
        if let shown = record.shown { return shown }
        return try await code.value().get()
    }

    /// Returns when no pairing runs.
    func ended() async {
        let end = self.state.withLock { $0.record == nil ? nil : $0.end }
        await end?.value()
    }
}

/// The right to ask the server about the code of a requestor: one process of the box has it at a time, the agent or a
/// `latchkey pair`, which may show the code besides.
final class PairingTurn: Sendable {
    private let lock: FileLock?

    /// Takes the turn, until this is released or the process ends.
    /// - Parameter stateFile: the state that the processes share; the lock is beside it.
    /// - Returns: `nil` while another process has it.
    init?(beside stateFile: String) {
        do throws(SystemError) {
            try Folder.makePrivate(Folder.containing(stateFile))
            self.lock = try FileLock("\(stateFile).pairing", patience: .zero)
        } catch {
            guard error != .locked else { return nil }
            // If no lock can be made, no code can be kept either, and so none is shared.
            self.lock = nil
        }
    }
}
