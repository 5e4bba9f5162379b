import CMicrohttpd
import POSIX
import Synchronization

/// A suspended connection that waits for its answer.
///
/// libmicrohttpd forbids two things: resuming what is not suspended, and stopping a daemon that has suspended
/// connections left. So a connection is resumed exactly once, under a lock, and `Suspensions` can resume all that are
/// left. The answer has a lock of its own, which the connection's thread takes while the other is still held.
final class Suspension: HeldReply.Holder {
    @safe private struct Suspended {
        /// Valid while the connection is suspended: libmicrohttpd closes no suspended connection.
        nonisolated(unsafe) var connection: OpaquePointer?
    }

    /// The reply it waits for; `nil` when it waits for a task.
    let reply: HeldReply?
    /// Microseconds of `MonotonicTime`.
    let started = MonotonicTime.now()
    /// Whether its client has left, and was counted as such: its answer is not.
    let isGone = Atomic<Bool>(false)
    private let suspended: Mutex<Suspended>
    private let state = Mutex((answer: HTTPResponse?.none, task: Task<Void, Never>?.none))
    private let registry: Suspensions

    /// - Parameter connection: suspended a moment ago, on this thread.
    init(_ connection: OpaquePointer, reply: HeldReply?, in registry: Suspensions) {
        self.reply = reply
        self.suspended = unsafe Mutex(Suspended(connection: connection))
        self.registry = registry
    }

    /// Remembers what to cancel when the answer must come sooner.
    func started(_ task: Task<Void, Never>) {
        let isAnswered = self.state.withLock { state in
            state.task = task
            return state.answer != nil
        }
        if isAnswered { task.cancel() }
    }

    /// Answers, once; every later answer is dropped.
    func send(_ response: HTTPResponse) {
        self.suspended.withLock { suspended in
            guard let connection = unsafe suspended.connection else { return }
            self.state.withLock { $0.answer = response }
            unsafe suspended.connection = nil
            unsafe MHD_resume_connection(connection)
        }
        self.registry.remove(self)
    }

    func cancel(answering response: HTTPResponse) {
        self.send(response)
        self.state.withLock(\.task)?.cancel()
    }

    func takeAnswer() -> HTTPResponse? { self.state.withLock(\.answer) }
}

final class Suspensions: Sendable {
    private struct State {
        var members: [ObjectIdentifier: Suspension] = [:]
        var takesHeld = true
        var isClosed = false
    }

    private let state = Mutex(State())

    /// - Returns: `false` when the server takes no more; then the connection is the caller's to resume.
    func insert(_ suspension: Suspension) -> Bool {
        self.state.withLock { state in
            guard !state.isClosed, state.takesHeld || suspension.reply == nil else { return false }
            state.members[ObjectIdentifier(suspension)] = suspension
            return true
        }
    }

    func remove(_ suspension: Suspension) {
        _ = self.state.withLock { $0.members.removeValue(forKey: ObjectIdentifier(suspension)) }
    }

    /// Answers the held requests that began before `start`: their owners seem to have forgotten them.
    func answerForgotten(before start: Int, with response: HTTPResponse) {
        let forgotten = self.state.withLock { state in
            state.members.values.compactMap { $0.started < start ? $0.reply : nil }
        }
        for reply in forgotten { reply.complete(response) }
    }

    /// Answers everything that is held; from now on nothing more is.
    func closeHeld(answering response: HTTPResponse) {
        let replies = self.state.withLock { state in
            state.takesHeld = false
            return state.members.values.compactMap(\.reply)
        }
        for reply in replies { reply.complete(response) }
    }

    /// Answers everything that is suspended; from now on nothing stays suspended.
    func close(answering response: HTTPResponse) {
        let members = self.state.withLock { state in
            state.isClosed = true
            return Array(state.members.values)
        }
        for member in members { member.cancel(answering: response) }
    }
}
