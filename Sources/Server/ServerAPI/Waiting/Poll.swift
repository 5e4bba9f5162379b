import Clientless
import Entitlement
import HTTPServer

/// A question a box asks again and again until the answer changes (sdk-services 8).
///
/// A value made of parsed values: a held poll keeps it for a minute, and there are many of them.
protocol Poll: Sendable {
    /// The mark of the state that the answer depends on; two answers with one mark are the same to a box that waits.
    associatedtype Mark: Hashable & Sendable

    var key: WaitingRoom.Key { get }

    /// Memory's answer at `now`, if it knows.
    func lookInMemory(now: Timestamp) -> Mark?

    /// The store's answer at `now`.
    func look(now: Timestamp) async throws(EntitlementError) -> Mark

    func isPending(_ mark: Mark) -> Bool

    func response(to mark: Mark, now: Timestamp) -> HTTPResponse

    /// The answer when the store could not be asked.
    func response(to error: EntitlementError) -> HTTPResponse
}

extension Poll {
    /// The answer at `now`, from memory or else from the store.
    /// - Parameter wait: said to be applied where the next poll can be held.
    func answer(now: Timestamp, for wait: PreferWait? = nil) async -> HTTPResponse {
        do throws(EntitlementError) {
            var mark = self.lookInMemory(now: now)
            if mark == nil { mark = try await self.look(now: now) }
            guard let mark else { throw EntitlementError(.internal) }
            let response = self.response(to: mark, now: now)
            guard let wait, self.isPending(mark) else { return response }
            return response.setting("Preference-Applied", wait.applied)
        } catch {
            return self.response(to: error)
        }
    }
}

/// Settles what had to be asked of the store before a poll may be answered at all; a response refuses the poll.
typealias PollGate = @Sendable () async -> HTTPResponse?

/// Replies to the polls of every face: at once, or when the answer changes if the caller would rather wait
/// (sdk-services 8).
struct PollReplies: Sendable {
    /// How often one wait may ask the store. A change of this node wakes it twice, at once and by the feed, and one that
    /// waits for a code hears of each step of its login.
    static let looks = 8

    let room: WaitingRoom
    let clock: @Sendable () -> Timestamp
    /// Whether what the clock shows is to be believed.
    let isRight: @Sendable (Timestamp) -> Bool

    /// - Parameter gate: what must be asked of the store before anything may be answered; see ``PollGate``.
    func reply<Question: Poll>(
        to question: Question, _ request: HTTPRequest, gate: PollGate? = nil, now: Timestamp
    ) -> HTTPReply {
        let known = question.lookInMemory(now: now)
        guard let wait = PreferWait(of: request) else {
            return self.immediateReply(to: question, known, gate: gate, now: now)
        }
        if gate == nil, let known, !question.isPending(known) {
            return .now(question.response(to: known, now: now))
        }
        let poll = HeldPoll(question, wait: wait, first: known, gate: gate, in: self)
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
