import Clientless
import HTTPServer
import POSIX
import Synchronization

/// Keeps the events, and answers the callers that wait for one.
final class EventDesk: Sendable {
    /// Requests of one user that may wait at a time.
    static let waitLimit = 8

    /// A question about events.
    struct Question: Sendable {
        let caller: AgentCaller
        let after: Int64
        let wait: Duration
        /// Whether the caller may still see events at all, and this one.
        let isVisible: @Sendable (BoxEvent) -> Bool
        /// The answer to a caller that may no longer see any.
        let refusal: @Sendable () -> HTTPResponse?
        let response: @Sendable (EventLog.Answer) -> HTTPResponse
    }

    private let log: Mutex<EventLog>
    /// The callers that wait. It looks again by itself for an event, and has to be told of a permission that changed.
    let room = HeldCalls(.init(ofUser: EventDesk.waitLimit, ofApplication: EventDesk.waitLimit))
    private let now: @Sendable () -> Timestamp
    private let onPublish: @Sendable (BoxEvent.News, String?) -> Void

    /// - Parameters:
    ///   - now: the time on the events; the first number is of it, too, and so higher than those of an earlier run.
    ///   - onPublish: is told of each piece of news, and its requestor.
    init(
        now: @escaping @Sendable () -> Timestamp = { Timestamp(milliseconds: WallClock.milliseconds()) },
        onPublish: @escaping @Sendable (BoxEvent.News, String?) -> Void = { _, _ in }
    ) {
        self.now = now
        self.onPublish = onPublish
        self.log = Mutex(EventLog(after: max(now().milliseconds, 1)))
    }

    var last: Int64 { self.log.withLock { $0.last } }

    func publish(_ news: BoxEvent.News, requestor: String? = nil) {
        let time = self.now()
        self.log.withLock { $0.append(news, requestor: requestor, at: time) }
        self.room.look()
        self.onPublish(news, requestor)
    }

    /// Answers at once if there is something to tell, and else when there is, or the wait is over.
    /// - Returns: `nil` when too many requests of the user wait.
    func reply(to question: Question) -> HTTPReply? {
        self.room.reply(
            to: HeldCalls.Visit(
                caller: question.caller, wait: question.wait, news: { self.news(for: question) },
                // The next question skips the events that were passed over.
                end: { question.response(EventLog.Answer(events: [], next: max(question.after, self.last))) }))
    }

    private func news(for question: Question) -> HTTPResponse? {
        if let refusal = question.refusal() { return refusal }
        let time = self.now()
        return self.log.withLock { $0.answer(after: question.after, at: time, question.isVisible) }
            .map(question.response)
    }
}
