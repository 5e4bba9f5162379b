import Lifecycle
import Synchronization
import POSIX

/// The one pairing of a requestor, for the callers that look at it and the library that reports to it.
final class PairingBoard: Sendable {
    private struct State {
        var record: PairingRecord?
        var cancellation = StopSignal()
        /// Those that wait for a code, or for the end.
        var forCode: [CheckedContinuation<Result<PairingRecord.Shown, AgentError>, Never>] = []
        var forEnd: [CheckedContinuation<Void, Never>] = []
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
            state.record = PairingRecord()
            state.cancellation = StopSignal()
            return true
        }
    }

    /// Changes the record of the pairing that runs; does nothing without one.
    func change<Result: Sendable>(_ body: (inout PairingRecord) -> Result) -> Result? {
        let result = self.state.withLock { state -> Result? in
            guard var record = state.record else { return nil }
            let result = body(&record)
            state.record = record
            return result
        }
        self.answerThoseThatWait()
        return result
    }

    private func answerThoseThatWait() {
        let (shown, waiting) = self.state.withLock { state in
            let shown = state.record?.shown
            let waiting = shown == nil ? [] : state.forCode
            if shown != nil { state.forCode = [] }
            return (shown, waiting)
        }
        guard let shown else { return }
        for continuation in waiting { continuation.resume(returning: .success(shown)) }
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
        let (forCode, forEnd) = self.state.withLock { state in
            defer {
                state.record = nil
                state.forCode = []
                state.forEnd = []
            }
            return (state.forCode, state.forEnd)
        }
        for continuation in forCode { continuation.resume(returning: .failure(reason)) }
        for continuation in forEnd { continuation.resume() }
    }

    /// The code, once there is one.
    func code() async throws(AgentError) -> PairingRecord.Shown {
        let result = await withCheckedContinuation { continuation in
            let known: Result<PairingRecord.Shown, AgentError>? = self.state.withLock { state in
                guard let record = state.record else {
                    return .failure(AgentError(.conflict, "The pairing ended before it had a code."))
                }
                if let shown = record.shown { return .success(shown) }
                state.forCode.append(continuation)
                return nil
            }
            if let known { continuation.resume(returning: known) }
        }
        return try result.get()
    }

    /// Returns when no pairing runs.
    func ended() async {
        await withCheckedContinuation { continuation in
            let isOver = self.state.withLock { state in
                guard state.record != nil else { return true }
                state.forEnd.append(continuation)
                return false
            }
            if isOver { continuation.resume() }
        }
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
