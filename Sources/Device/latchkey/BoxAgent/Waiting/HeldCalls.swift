import HTTPServer
import Lifecycle
import Synchronization

/// Holds calls until there is something to tell their callers, or their wait is over.
final class HeldCalls: Service {
    /// A call that may wait.
    struct Visit: Sendable {
        let caller: AgentCaller
        let wait: Duration
        /// The news; `nil` while there is nothing.
        let news: @Sendable () -> HTTPResponse?
        /// The answer when the wait is over.
        let end: @Sendable () -> HTTPResponse
    }

    private struct State {
        var waiting: [Int: (visit: Visit, deadline: ContinuousClock.Instant, reply: HeldReply)] = [:]
        var lastTicket = 0
        /// When the alarms go off that were set.
        var alarms: Set<ContinuousClock.Instant> = []
        var isClosed = false
    }

    private let limitOfUser: Int
    private let limitOfApplication: Int
    private let state = Mutex(State())
    /// The alarms that ``run()`` is to set; ends when the room is closed.
    let alarms: AsyncStream<ContinuousClock.Instant>
    private let setAlarm: AsyncStream<ContinuousClock.Instant>.Continuation

    /// Calls of one user, and of one application of a user, that may wait at a time.
    init(ofUser: Int, ofApplication: Int) {
        (self.limitOfUser, self.limitOfApplication) = (ofUser, ofApplication)
        (self.alarms, self.setAlarm) = AsyncStream.makeStream(of: ContinuousClock.Instant.self)
    }

    /// Answers at once if there is something to tell, and else when there is, or the wait is over.
    /// - Returns: `nil` when too many calls of the user, or of the application, wait.
    func reply(to visit: Visit) -> HTTPReply? {
        if let news = visit.news() { return .now(news) }
        guard visit.wait > .zero else { return .now(visit.end()) }
        let ticket = self.state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        let reply = HeldReply(whenGone: { [weak self] in self?.forget(ticket) })
        let deadline = ContinuousClock.now + visit.wait
        let isHeld: Bool? = self.state.withLock { state in
            if state.isClosed { return nil }
            let calls = state.waiting.values.filter { $0.visit.caller.user == visit.caller.user }
            guard calls.count < self.limitOfUser,
                calls.count(where: { $0.visit.caller.application == visit.caller.application })
                    < self.limitOfApplication
            else { return false }
            state.waiting[ticket] = (visit, deadline, reply)
            self.arm(&state)
            return true
        }
        guard let isHeld else { return .now(visit.end()) }
        guard isHeld else { return nil }
        // News between the first look and the entry woke no caller.
        self.look()
        return .held(reply)
    }

    /// Looks again for each caller that waits.
    func look() {
        let answered = self.state.withLock { state -> [(HeldReply, HTTPResponse)] in
            var answered: [(HeldReply, HTTPResponse)] = []
            for (ticket, waiting) in state.waiting {
                guard let news = waiting.visit.news() else { continue }
                answered.append((waiting.reply, news))
                state.waiting[ticket] = nil
            }
            return answered
        }
        for (reply, response) in answered { reply.complete(response) }
    }

    /// Answers those whose wait is over.
    func endWaits(at now: ContinuousClock.Instant) {
        let over = self.state.withLock { state in
            let over = state.waiting.filter { $0.value.deadline <= now }
            for ticket in over.keys { state.waiting[ticket] = nil }
            state.alarms = state.alarms.filter { $0 > now }
            self.arm(&state)
            return over.values.map { $0 }
        }
        for waiting in over { waiting.reply.complete(waiting.visit.end()) }
    }

    /// Answers all, and lets no call wait from now on: the agent stops.
    func close() {
        let over = self.state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [:] }
            return state.waiting.values.map { $0 }
        }
        self.setAlarm.finish()
        for waiting in over { waiting.reply.complete(waiting.visit.end()) }
    }

    private func forget(_ ticket: Int) { self.state.withLock { $0.waiting[ticket] = nil } }

    /// Sets an alarm for the first deadline, unless one that was set goes off before it.
    private func arm(_ state: inout State) {
        guard let next = state.waiting.values.map(\.deadline).min(), !state.alarms.contains(where: { $0 <= next })
        else { return }
        state.alarms.insert(next)
        self.setAlarm.yield(next)
    }

    /// Watches the time of those that wait.
    func run() async {
        await StopSignal.cancelling {
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
    }
}
