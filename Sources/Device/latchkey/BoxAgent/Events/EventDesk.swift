import Clientless
import HTTPServer
import POSIX
import Synchronization

/// Keeps the events, and answers the callers that wait for one.
final class EventDesk: Sendable {
    /// Requests of one user that may wait at a time.
    static let waitLimit = 8

    private let log: Mutex<EventLog>
    /// The callers that wait. It looks again by itself for an event, and has to be told of a permission that changed.
    let room = HeldCalls(ofUser: EventDesk.waitLimit, ofApplication: EventDesk.waitLimit)
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
    /// - Parameters:
    ///   - isVisible: whether the caller may see an event.
    ///   - refusal: the answer to a caller that may no longer see any.
    /// - Returns: `nil` when too many requests of the user wait.
    func reply(
        to caller: AgentCaller, after number: Int64, wait: Duration, isVisible: @escaping @Sendable (BoxEvent) -> Bool,
        refusal: @escaping @Sendable () -> HTTPResponse?,
        response: @escaping @Sendable (EventLog.Answer) -> HTTPResponse
    ) -> HTTPReply? {
        self.room.reply(
            to: HeldCalls.Visit(
                caller: caller, wait: wait,
                news: {
                    if let refusal = refusal() { return refusal }
                    let time = self.now()
                    return self.log.withLock { $0.answer(after: number, at: time, isVisible) }.map(response)
                },
                // The next question skips the events that were passed over, and none that came a moment ago.
                end: {
                    if let refusal = refusal() { return refusal }
                    let time = self.now()
                    let answer = self.log.withLock { log in
                        log.answer(after: number, at: time, isVisible) ?? .init(events: [], next: max(number, log.last))
                    }
                    return response(answer)
                }))
    }
}
