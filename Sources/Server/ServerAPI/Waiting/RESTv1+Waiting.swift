import Clientless
import Entitlement
import HTTPServer

extension RESTv1 {
    /// The reply to a poll of this face; see ``PollReplies``.
    func reply<Question: Poll>(
        to question: Question, _ request: HTTPRequest, gate: HeldPoll<Question>.Gate? = nil, now: Timestamp
    ) -> HTTPReply {
        PollReplies(room: self.domain.waitingRoom, clock: self.now).reply(to: question, request, gate: gate, now: now)
    }
}
