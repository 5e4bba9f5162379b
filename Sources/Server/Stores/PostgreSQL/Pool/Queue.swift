/// The jobs that wait for a line's threads, and the next step of a thread, as a value.
///
/// A commit costs the server about as much for one job as for ten. So while a thread is at work, the next one waits until
/// many jobs have come, or the oldest has waited for a moment; mostly the first one is back before that, and takes them.
/// A job that comes when no thread is at work waits for nothing.
struct Queue<Element> {
    struct Rules: Hashable, Sendable {
        let bound: Int
        let batch: Int
        /// So many are worth a thread beside one that is at work.
        let worthwhile: Int
        /// How long elements wait at most for a thread that is at work.
        let moment: Duration
        /// Longer than this nothing waits for its turn.
        let patience: Duration
    }

    enum Step {
        /// Refuses those that are late, and works on the others; then it asks again.
        /// - Parameter wakesOther: whether another thread has to be woken for what is left: those at work ask again by
        ///   themselves.
        case work(late: [Element], batch: [Element], wakesOther: Bool)
        /// Waits to be woken, so long at most; then it asks again.
        case watch(Duration)
        /// Waits to be woken; then it asks again.
        case rest
        case end
    }

    /// The work of a thread before it asks.
    enum Past {
        case began, worked, watched, rested
    }

    private let rules: Rules
    private var waiting: [(element: Element, since: ContinuousClock.Instant)] = []
    private var working = 0
    private var resting = 0
    private var isWatched = false
    private(set) var isClosed = false

    init(_ rules: Rules) { self.rules = rules }

    var isFull: Bool { self.waiting.count >= self.rules.bound }

    /// Puts an element in line.
    /// - Returns: whether a thread has to be woken: any when none is at work or this makes them worth it, one to watch for the
    ///   first of others.
    mutating func add(_ element: Element, at now: ContinuousClock.Instant) -> Bool {
        self.waiting.append((element, now))
        if self.working == 0 || self.waiting.count == self.rules.worthwhile {
            return self.resting > 0 || self.isWatched
        }
        return self.waiting.count == 1 && self.resting > 0 && !self.isWatched
    }

    mutating func close() { self.isClosed = true }

    mutating func next(after past: Past, at now: ContinuousClock.Instant) -> Step {
        switch past {
        case .began: break
        case .worked: self.working -= 1
        case .watched: self.isWatched = false
        case .rested: self.resting -= 1
        }
        guard let oldest = self.waiting.first?.since else {
            if self.isClosed { return .end }
            self.resting += 1
            return .rest
        }
        let left = self.rules.moment - oldest.duration(to: now)
        if self.working > 0, self.waiting.count < self.rules.worthwhile, left > .zero, !self.isClosed {
            if self.isWatched {
                self.resting += 1
                return .rest
            }
            self.isWatched = true
            return .watch(left)
        }
        let late = self.waiting.prefix { $0.since.duration(to: now) > self.rules.patience }.map(\.element)
        let batch = self.waiting.dropFirst(late.count).prefix(self.rules.batch).map(\.element)
        self.waiting.removeFirst(late.count + batch.count)
        self.working += 1
        let wakesOther = !self.waiting.isEmpty && (self.resting > 0 || self.isWatched)
        return .work(late: late, batch: batch, wakesOther: wakesOther)
    }
}
