import Entitlement

/// What one caller asks of the store, waiting for its turn. It may run twice, and depends on nothing but the database
/// and what it captured by value.
struct Job: Sendable {
    enum Work: Sendable {
        /// `begin` queues the statements that depend on no answer; they travel together with those of other jobs. `finish` takes
        /// their answers, and does what depends on them. What it returns answers the caller once the work is durable.
        case statements(
            begin: @Sendable (Session) throws(PostgresFailure) -> [Ticket],
            finish: @Sendable (Session, [Ticket]) throws(PostgresFailure) -> @Sendable () -> Void)
        /// A new code, which goes into the tables in one statement with those of other jobs.
        case creation(CodeCreation, answer: @Sendable (CodeInsertion) -> Void)
    }

    /// It takes long, and so goes into a commit of its own after the others.
    var isLong = false
    /// When it was asked for: its caller waits from then on.
    let submitted = ContinuousClock.now
    /// What must not change meanwhile by another job; empty for a read.
    let subjects: [SubjectKey]
    let work: Work
    /// Answers the caller when nothing was done.
    let refuse: @Sendable (StoreError) -> Void
}

extension Job {
    /// Queues statements of its own, if it has any.
    func begin(_ session: Session) throws(PostgresFailure) -> [Ticket] {
        switch self.work {
        case .statements(let begin, _): try begin(session)
        case .creation: []
        }
    }

    /// Ends what ``begin(_:)`` began.
    /// - Parameter insertion: what came of a new code; `nil` for all else.
    /// - Returns: what answers the caller.
    func finish(
        _ session: Session, _ tickets: [Ticket], insertion: CodeInsertion?
    ) throws(PostgresFailure) -> @Sendable () -> Void {
        switch self.work {
        case .statements(_, let finish): return try finish(session, tickets)
        case .creation(_, let answer):
            guard let insertion else { throw .nonsense("nothing is known of a new code") }
            if case .inserted(let cancelled) = insertion {
                for code in cancelled { session.note(.code(code)) }
            }
            return { answer(insertion) }
        }
    }
}

/// The number of the advisory lock of one subject, the same on every node. Two subjects that share one only wait for
/// each other.
struct SubjectKey: Hashable, Comparable, Sendable {
    enum Kind: UInt8, Sendable {
        case code, device, attempt, signIn, trial, rule, client, application, keyPair, account, setUpCode, passkey
    }

    let number: Int64

    /// FNV-1a over the kind and the subject's bytes.
    init(_ kind: Kind, _ subject: some Sequence<UInt8>) {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in [kind.rawValue] + Array(subject) {
            hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        }
        self.number = Int64(bitPattern: hash)
    }

    static func < (left: SubjectKey, right: SubjectKey) -> Bool { left.number < right.number }
}
