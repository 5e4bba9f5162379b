import Entitlement

/// What one caller asks of the store, waiting for its turn. It may run twice, and depends on nothing but the database
/// and what it captured by value.
struct Job: Sendable {
    /// It takes long, and so goes into a commit of its own after the others.
    var isLong = false
    /// When it was asked for: its caller waits from then on.
    let submitted = ContinuousClock.now
    /// What must not change meanwhile by another job; empty for a read.
    let subjects: [SubjectKey]
    /// Queues the statements that depend on no answer. They travel together with those of other jobs.
    let begin: @Sendable (Session) throws(PostgresFailure) -> [Ticket]
    /// Takes their answers, and does what depends on them. What it returns answers the caller once the work is durable.
    let finish: @Sendable (Session, [Ticket]) throws(PostgresFailure) -> @Sendable () -> Void
    /// Answers the caller when nothing was done.
    let refuse: @Sendable (StoreError) -> Void
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
