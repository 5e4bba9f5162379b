import Glibc

/// One search among the hosts, on one thread.
struct PrimarySearch {
    /// Places of hosts that were not asked yet.
    private var left: ArraySlice<Int>
    /// When the next one is asked, whatever the others do; `nil` when none is left.
    private(set) var nextStart: ContinuousClock.Instant?
    var attempts: [(place: Int, attempt: ConnectionAttempt)] = []
    /// What the servers said that failed.
    private(set) var failure: PostgresFailure?

    init(order: [Int]) {
        self.left = order[...]
        self.nextStart = .now
    }

    /// The place of the host that is to be asked now.
    mutating func next(at now: ContinuousClock.Instant, headStart: Duration) -> Int? {
        guard let start = self.nextStart, self.attempts.isEmpty || now >= start else { return nil }
        let next = self.left.popFirst()
        self.nextStart = self.left.isEmpty ? nil : now + headStart
        return next
    }

    /// Waits until a server says something, at the latest until `end`, and lets the attempts go on.
    /// - Returns: the first that leads to a server that takes writes.
    mutating func proceed(until end: ContinuousClock.Instant, pause: Duration) -> (Int, ConnectionAttempt)? {
        var wanted = self.attempts.map { $0.attempt.wanted ?? pollfd(fd: -1, events: 0, revents: 0) }
        let isStuck = wanted.contains { $0.fd < 0 }
        let left = isStuck ? .zero : max(.zero, ContinuousClock.now.duration(to: end))
        // Rounded up, so that a wait for less than a millisecond is one.
        let milliseconds = left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000 + 1
        // An interrupted or fruitless wait is no failure: the caller looks at the clock.
        _ = unsafe poll(&wanted, nfds_t(wanted.count), Int32(clamping: milliseconds))
        var going: [(place: Int, attempt: ConnectionAttempt)] = []
        var failed: [Int] = []
        for (number, one) in self.attempts.enumerated() {
            guard wanted[number].fd < 0 || wanted[number].revents != 0 else {
                going.append(one)
                continue
            }
            switch one.attempt.proceed() {
            case .made: return (one.place, one.attempt)
            case .waiting: going.append(one)
            case .failed(let failure):
                self.note(failure)
                failed.append(one.place)
            }
        }
        self.attempts = going
        // While another one is silent, these may become what is looked for.
        if !going.isEmpty, !failed.isEmpty {
            self.left += failed
            self.nextStart = self.nextStart ?? .now + pause
        }
        return nil
    }

    /// Keeps what every server said, as an operator needs it to see which one is meant to take writes.
    private mutating func note(_ failure: PostgresFailure) {
        guard let before = self.failure else {
            self.failure = failure
            return
        }
        guard !before.message.contains(failure.message) else { return }
        self.failure = .lost("\(before.message); \(failure.message)")
    }
}
