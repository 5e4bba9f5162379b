/// How long jobs may take, counted from when they were asked for.
struct Patience: Hashable, Sendable {
    /// The time of a caller, until a job that is not done counts as failed.
    let work: Duration
    /// The longest that a job waits for its turn; then it is refused, so that those behind it have time enough.
    let turn: Duration
    /// The least time that jobs have when their turn comes.
    private let least: Duration
    /// The time left to find out what became of a lost commit.
    let rest: Duration
    /// The time of a job that takes long, from when its turn comes.
    let long: Duration = .seconds(60)

    /// Divides `total`, in which every caller is answered.
    init(of total: Duration) {
        self.work = total * 3 / 4
        self.turn = total * 3 / 8
        self.least = total / 2
        self.rest = total / 8
    }

    /// Until when jobs that were taken out of the line may be worked on.
    func deadline(of jobs: [Job<some JobBatch>], now: ContinuousClock.Instant) -> ContinuousClock.Instant {
        let first = jobs.map(\.submitted).min() ?? now
        return max(first + self.work, now + self.least)
    }
}
