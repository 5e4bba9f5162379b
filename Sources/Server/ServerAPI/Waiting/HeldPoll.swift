import Clientless
import Entitlement
import HTTPServer
import Synchronization

/// A poll that waits for its answer to change, in the waiting room and without a task of its own (sdk-services 8).
final class HeldPoll<Question: Poll>: Sendable {
    private struct State {
        /// What the box would have been told when it asked; the wait is over when it is anything else.
        var first: Question.Mark?
        var gate: PollGate?
    }

    private let question: Question
    private let wait: PreferWait
    private let deadline: Duration
    private let room: WaitingRoom
    private let now: @Sendable () -> Timestamp
    private let isRight: @Sendable (Timestamp) -> Bool
    private let state: Mutex<State>
    private let seat = Seat()
    private let reply: HeldReply

    /// - Parameters:
    ///   - first: the answer memory had when the box asked, if any.
    ///   - gate: runs once, before the poll looks anywhere.
    init(
        _ question: Question, wait: PreferWait, first: Question.Mark?, gate: PollGate?, in replies: PollReplies
    ) {
        let room = replies.room
        self.question = question
        self.wait = wait
        self.deadline = room.now + .seconds(wait.seconds)
        self.room = room
        self.now = replies.clock
        self.isRight = replies.isRight
        self.state = Mutex(State(first: first, gate: gate))
        self.reply = HeldReply(whenGone: { [seat] in seat.give(backTo: room) })
    }

    /// Enters the waiting room.
    /// - Returns: `nil` when the room is full or closing; the caller answers at once then.
    func hold() -> HTTPReply? {
        self.enter() ? .held(self.reply) : nil
    }

    private func enter() -> Bool {
        guard
            let place = self.room.wait(
                on: [self.question.key], for: self.deadline - self.room.now, resume: { await self.resume($0) })
        else { return false }
        self.seat.take(place)
        if self.reply.isFinished {
            // The box hung up on the way here, when there was no place to give back yet.
            self.room.leave(place)
            return true
        }
        // A change between the last look and the entry woke no poll, so look once more; what memory cannot tell is asked
        // by the poll that is woken.
        let known = self.question.lookInMemory(now: self.now())
        let mustLook = self.state.withLock { $0.gate != nil || known == nil || known != $0.first }
        if mustLook { self.room.wake(self.question.key) }
        return true
    }

    private func resume(_ reason: WaitingRoom.WakeReason) async {
        guard !self.reply.isFinished else { return }
        let gate = self.state.withLock { state in
            defer { state.gate = nil }
            return state.gate
        }
        if let refusal = await gate?() { return self.reply.complete(refusal) }
        let mark: Question.Mark
        do throws(EntitlementError) {
            let now = self.now()
            guard self.isRight(now) else { throw EntitlementError(.storeUnavailable) }
            if let known = self.question.lookInMemory(now: now) {
                mark = known
            } else {
                mark = try await self.question.look(now: now)
            }
        } catch {
            return self.reply.complete(self.question.response(to: error))
        }
        if reason == .changed, self.isUnchanged(mark), self.enter() { return }
        self.reply.complete(
            self.question.response(to: mark, now: self.now()).setting("Preference-Applied", self.wait.applied))
    }

    /// Whether the box should go on waiting: there is still something to wait for, and it is what it was.
    private func isUnchanged(_ mark: Question.Mark) -> Bool {
        guard self.question.isPending(mark) else { return false }
        return self.state.withLock { state in
            if state.first == nil { state.first = mark }
            return state.first == mark
        }
    }
}

/// Where a held poll sits in the waiting room, so that it can be cleared when the box hangs up.
private final class Seat: Sendable {
    private let place = Mutex<WaitingRoom.Place?>(nil)

    func take(_ place: WaitingRoom.Place) {
        self.place.withLock { $0 = place }
    }

    func give(backTo room: WaitingRoom) {
        if let place = self.place.withLock({ $0 }) { room.leave(place) }
    }
}
