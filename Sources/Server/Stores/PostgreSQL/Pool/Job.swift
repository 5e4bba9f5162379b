import Entitlement

/// One caller's request to the store, waiting for its turn. It may run twice, and depends on nothing but the database
/// and what it captured by value.
struct Job: Sendable {
    enum Work: Sendable {
        /// The statements depend on no answer, and travel together with those of other jobs. `finish` takes their answers, and
        /// does what depends on them. Its result answers the caller once the work is durable.
        case statements(
            [SQL],
            finish: @Sendable (Session, [Ticket]) throws(PostgresFailure) -> @Sendable () -> Void)
        /// A new code: one statement keeps it with those of other jobs.
        case creation(CodeCreation, answer: @Sendable (CodeInsertion) -> Void)
    }

    /// It takes long, and so goes into a commit of its own after the others.
    var isLong = false
    /// When it was asked for: its caller waits from then on.
    let submitted = ContinuousClock.now
    /// The subjects that no other job may change meanwhile; empty for a read.
    let subjects: [SubjectKey]
    let work: Work
    /// Answers the caller when nothing was done.
    let refuse: @Sendable (StoreError) -> Void
}

extension Job {
    /// Queues statements of its own, if it has any.
    func begin(_ session: Session) throws(PostgresFailure) -> [Ticket] {
        switch self.work {
        case .statements(let statements, _): try session.send(statements)
        case .creation: []
        }
    }

    /// Ends what ``begin(_:)`` began.
    /// - Parameter outcome: what came of its code; `nil` for statements of its own.
    /// - Returns: what answers the caller.
    func finish(
        _ session: Session, _ tickets: [Ticket], outcome: CodeInsertion?
    ) throws(PostgresFailure) -> @Sendable () -> Void {
        switch self.work {
        case .statements(_, let finish): return try finish(session, tickets)
        case .creation(_, let answer):
            guard let outcome else { throw .nonsense("nothing is known of a new code") }
            if case .inserted(let cancelled) = outcome { for code in cancelled { session.note(.code(code)) } }
            return { answer(outcome) }
        }
    }
}

/// How long jobs may take, counted from when they were asked for.
struct Patience: Sendable {
    /// In which every caller is answered.
    let total: Duration
    /// The time of a caller, until a job that is not done counts as failed.
    var work: Duration { self.total * 3 / 4 }
    /// The longest that a job waits for its turn; then it is refused, so that those behind it have time enough.
    var turn: Duration { self.total * 3 / 8 }
    /// The time left to find out what became of a lost commit.
    var rest: Duration { self.total / 8 }
    /// The time of a job that takes long, from when its turn comes.
    let long: Duration = .seconds(60)

    /// Until when jobs that were taken out of the line may be worked on: half the time at least from when their turn
    /// comes.
    func deadline(of jobs: [Job], now: ContinuousClock.Instant) -> ContinuousClock.Instant {
        let first = jobs.map(\.submitted).min() ?? now
        return max(first + self.work, now + self.total / 2)
    }
}
