import BoxEvents
import Clientless
import HTTPServer
import Lifecycle
import POSIX
import Synchronization

/// Keeps the events, and answers the callers that wait for one.
final class EventDesk: Service {
    /// Requests of one user that may wait at a time.
    static let waitLimit = 8

    /// A question about events.
    struct Question: Sendable {
        let caller: Caller
        let after: Int64
        let wait: Duration
        /// Whether the caller may still see events at all, and this one.
        let isVisible: @Sendable (BoxEvent) -> Bool
        /// What the caller is told when it may no longer see any.
        let refusal: @Sendable () -> HTTPResponse?
        let response: @Sendable (EventLog.Answer) -> HTTPResponse
    }

    private struct Waiting {
        let question: Question
        let deadline: ContinuousClock.Instant
        let reply: HeldReply
    }

    private struct State {
        var log: EventLog
        var waiting: [Int: Waiting] = [:]
        var lastTicket = 0
        /// When the next alarm goes off; `nil` without one.
        var alarm: ContinuousClock.Instant?
    }

    private let state: Mutex<State>
    private let now: @Sendable () -> Timestamp
    private let onPublish: @Sendable (BoxEvent.News, String?) -> Void
    private let alarms: AsyncStream<ContinuousClock.Instant>
    private let setAlarm: AsyncStream<ContinuousClock.Instant>.Continuation

    /// - Parameters:
    ///   - now: the time on the events; the first number is of it, too, and so higher than those of an earlier run.
    ///   - onPublish: is told of each piece of news, and its requestor.
    init(
        now: @escaping @Sendable () -> Timestamp = { Timestamp(milliseconds: WallClock.milliseconds()) },
        onPublish: @escaping @Sendable (BoxEvent.News, String?) -> Void = { _, _ in }
    ) {
        self.now = now
        self.onPublish = onPublish
        self.state = Mutex(State(log: EventLog(after: max(now().milliseconds, 1))))
        (self.alarms, self.setAlarm) = AsyncStream.makeStream(of: ContinuousClock.Instant.self)
    }

    var last: Int64 { self.state.withLock { $0.log.last } }

    func publish(_ news: BoxEvent.News, requestor: String? = nil) {
        let time = self.now()
        self.state.withLock { $0.log.append(news, requestor: requestor, at: time) }
        self.look()
        self.onPublish(news, requestor)
    }

    /// Answers at once where there is something to tell, and else when there is, or the wait is over.
    /// - Returns: `nil` when too many requests of the user wait.
    func reply(to question: Question) -> HTTPReply? {
        let time = self.now()
        if let answer = self.state.withLock({ $0.log.answer(after: question.after, at: time, question.isVisible) }) {
            return .now(question.response(answer))
        }
        guard question.wait > .zero else { return .now(self.emptyAnswer(to: question)) }
        let ticket = self.state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        let reply = HeldReply(whenGone: { [weak self] in self?.forget(ticket) })
        let deadline = ContinuousClock.now + question.wait
        let isHeld = self.state.withLock { state in
            let user = question.caller.user
            guard state.waiting.values.count(where: { $0.question.caller.user == user }) < Self.waitLimit else {
                return false
            }
            state.waiting[ticket] = Waiting(question: question, deadline: deadline, reply: reply)
            self.arm(&state)
            return true
        }
        guard isHeld else { return nil }
        // An event between the first look and the entry woke no caller.
        self.look()
        return .held(reply)
    }

    /// Looks again for everyone that waits: there is an event, or a permission was changed.
    func look() {
        let time = self.now()
        let answered = self.state.withLock { state -> [(HeldReply, HTTPResponse)] in
            var answered: [(HeldReply, HTTPResponse)] = []
            for (ticket, waiting) in state.waiting {
                let question = waiting.question
                if let refusal = question.refusal() {
                    answered.append((waiting.reply, refusal))
                } else if let answer = state.log.answer(after: question.after, at: time, question.isVisible) {
                    answered.append((waiting.reply, question.response(answer)))
                } else {
                    continue
                }
                state.waiting[ticket] = nil
            }
            return answered
        }
        for (reply, response) in answered { reply.complete(response) }
    }

    private func emptyAnswer(to question: Question) -> HTTPResponse {
        // What was passed over is not looked through again.
        question.response(EventLog.Answer(events: [], next: max(question.after, self.last)))
    }

    private func forget(_ ticket: Int) { self.state.withLock { $0.waiting[ticket] = nil } }

    /// Answers those whose wait is over.
    func endWaits(at now: ContinuousClock.Instant) {
        let over = self.state.withLock { state in
            let over = state.waiting.filter { $0.value.deadline <= now }
            for ticket in over.keys { state.waiting[ticket] = nil }
            state.alarm = nil
            self.arm(&state)
            return over.values.map { $0 }
        }
        for waiting in over { waiting.reply.complete(self.emptyAnswer(to: waiting.question)) }
    }

    private func arm(_ state: inout State) {
        guard let next = state.waiting.values.map(\.deadline).min(), state.alarm.map({ next < $0 }) ?? true else {
            return
        }
        state.alarm = next
        self.setAlarm.yield(next)
    }

    /// Watches the time of those that wait.
    func run() async {
        let stop = StopSignal.current
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await withDiscardingTaskGroup { alarms in
                    for await due in self.alarms {
                        alarms.addTask {
                            if (try? await Task.sleep(until: due, clock: .continuous)) != nil {
                                self.endWaits(at: .now)
                            }
                        }
                    }
                    alarms.cancelAll()
                }
            }
            await stop.wait()
            group.cancelAll()
        }
    }
}
