import Clientless
import Entitlement
import HTTPServer
import Synchronization

/// A poll that waits for its answer to change, in the waiting room and without a task of its own (sdk-services 8).
final class HeldPoll<Question: Poll>: Sendable {
    private struct State {
        /// The answer that the box would have got when it asked; the wait is over when it is anything else.
        var first: Question.Mark?
        var gate: PollGate?
        /// How often the store may still be asked: after the entry, and when it is woken.
        var looks = PollReplies.looks
        /// One task at a time looks; a wake-up that comes meanwhile makes it look again.
        var isLooking = false
        var isWoken = false
        var isOver = false
        var hasRested = false
    }

    private let question: Question
    private let wait: PreferWait
    private let deadline: Duration
    private let replies: PollReplies
    private let state: Mutex<State>
    private let seat = Seat()
    private let reply: HeldReply

    /// - Parameters:
    ///   - first: the answer memory had when the box asked, if any.
    ///   - gate: runs once, before the poll looks anywhere.
    init(_ question: Question, wait: PreferWait, first: Question.Mark?, gate: PollGate?, in replies: PollReplies) {
        let room = replies.room
        self.question = question
        self.wait = wait
        self.deadline = room.now + .seconds(wait.seconds)
        self.replies = replies
        self.state = Mutex(State(first: first, gate: gate))
        self.reply = HeldReply(whenGone: { [seat] in seat.give(backTo: room) })
    }

    /// Enters the waiting room, and then looks once: a change before the entry woke no poll.
    /// - Returns: `nil` when the room is full or closing; the caller answers at once then.
    func hold() -> HTTPReply? {
        guard let place = self.enter() else { return nil }
        let known = self.question.lookInMemory(now: self.replies.clock())
        let rests = self.state.withLock { state in
            state.hasRested = state.gate == nil && known != nil && known == state.first
            return state.hasRested
        }
        // The room's task asks what memory cannot tell.
        if !rests { self.replies.room.wake(place) }
        return .held(self.reply)
    }

    private func enter() -> WaitingRoom.Place? {
        guard
            let place = self.replies.room.wait(
                on: [self.question.key], for: self.deadline - self.replies.room.now, resume: { await self.resume($0) })
        else { return nil }
        self.seat.take(place)
        // The box may have hung up when there was no place to give back yet.
        if self.reply.isFinished { self.replies.room.leave(place) }
        return place
    }

    private func resume(_ reason: WaitingRoom.WakeReason) async {
        let isAlone = self.state.withLock { state in
            state.isWoken = true
            if reason != .changed { state.isOver = true }
            defer { state.isLooking = true }
            return !state.isLooking
        }
        guard isAlone else { return }
        while let isOver = self.nextWakeUp() {
            guard !self.reply.isFinished else { return }
            // It enters again before it looks: a change after the look wakes it.
            let place = isOver ? nil : self.enter()
            guard let answer = await self.answer(mayRest: place != nil) else { continue }
            if let place { self.replies.room.leave(place) }
            return self.reply.complete(answer)
        }
    }

    /// - Returns: whether the wait is over; `nil` when every wake-up was answered.
    private func nextWakeUp() -> Bool? {
        self.state.withLock { state in
            defer { state.isWoken = false }
            state.isLooking = state.isWoken
            return state.isWoken ? state.isOver : nil
        }
    }

    /// - Returns: `nil` when the box should go on waiting: there is still something to wait for, and it is what it was.
    private func answer(mayRest: Bool) async -> HTTPResponse? {
        let gate = self.state.withLock { state in
            defer { state.gate = nil }
            return state.gate
        }
        if let refusal = await gate?() { return refusal }
        do throws(EntitlementError) {
            let now = self.replies.clock()
            guard self.replies.isRight(now) else { throw EntitlementError(.storeUnavailable) }
            let (mark, isNew) = try await self.look(now: now)
            let wasHeld: Bool? = self.state.withLock { state in
                let rests = mayRest && isNew && self.question.isPending(mark) && (state.first ?? mark) == mark
                state.first = state.first ?? mark
                defer { state.hasRested = state.hasRested || rests }
                return rests ? nil : state.hasRested || self.question.isPending(mark)
            }
            guard let wasHeld else { return nil }
            let response = self.question.response(to: mark, now: self.replies.clock())
            return wasHeld ? response.setting("Preference-Applied", self.wait.applied) : response
        } catch {
            return self.question.response(to: error)
        }
    }

    /// The answer of memory, or else of the store. A poll that has asked the store too often gets the answer it had
    /// before; its box asks again.
    private func look(now: Timestamp) async throws(EntitlementError) -> (mark: Question.Mark, isNew: Bool) {
        if let known = self.question.lookInMemory(now: now) { return (known, true) }
        let last = self.state.withLock { state in
            state.looks -= 1
            return state.looks < 0 ? state.first : nil
        }
        if let last { return (last, false) }
        return (try await self.question.look(now: now), true)
    }
}

/// The seat of a held poll in the waiting room, so that it can be cleared when the box hangs up.
private final class Seat: Sendable {
    private let place = Mutex<WaitingRoom.Place?>(nil)

    /// A poll that was woken may have taken a later place before its first one is noted here.
    func take(_ place: WaitingRoom.Place) { self.place.withLock { $0 = max($0 ?? place, place) } }

    func give(backTo room: WaitingRoom) { if let place = self.place.withLock({ $0 }) { room.leave(place) } }
}
