import Clientless
import Entitlement
import HTTPServer

/// Settles what had to be asked of the store before a poll may be answered at all; a response refuses the poll.
typealias PollGate = @Sendable () async -> HTTPResponse?

/// Replies to the polls of every face: at once, or when the answer changes if the caller would rather wait
/// (sdk-services 8).
struct PollReplies: Sendable {
    let room: WaitingRoom
    let clock: @Sendable () -> Timestamp

    /// - Parameter gate: what must be asked of the store before anything may be answered; see ``PollGate``.
    func reply<Question: Poll>(
        to question: Question, _ request: HTTPRequest, gate: PollGate? = nil, now: Timestamp
    ) -> HTTPReply {
        let known = question.lookInMemory(now: now)
        guard let wait = PreferWait(of: request) else {
            return self.immediateReply(to: question, known, gate: gate, now: now)
        }
        if gate == nil, let known, !question.isPending(known) {
            return .now(question.response(to: known, now: now).setting("Preference-Applied", wait.applied))
        }
        let poll = HeldPoll(question, wait: wait, first: known, gate: gate, in: self.room, now: self.clock)
        return poll.hold() ?? self.immediateReply(to: question, known, gate: gate, now: now)
    }

    private func immediateReply<Question: Poll>(
        to question: Question, _ known: Question.Mark?, gate: PollGate?, now: Timestamp
    ) -> HTTPReply {
        if gate == nil, let known { return .now(question.response(to: known, now: now)) }
        return .later {
            if let refusal = await gate?() { return refusal }
            return await question.answer(now: now)
        }
    }
}
