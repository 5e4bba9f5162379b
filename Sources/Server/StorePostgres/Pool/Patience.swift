/// How long jobs may take, counted from when they were asked for.
struct Patience: Hashable, Sendable {
    /// The time of a caller, until a job that is not done counts as failed.
    let work: Duration
    /// What a job has at least when its turn comes late, and what is left to find out what became of a lost commit.
    let rest: Duration
    /// The time of a job that takes long, from when its turn comes.
    let long: Duration = .seconds(60)

    /// Divides `total`, in which every caller is answered.
    init(of total: Duration) {
        self.work = total * 3 / 4
        self.rest = total / 8
    }

    /// Until when jobs that were taken out of the line may be worked on.
    func deadline(of jobs: [Job], now: ContinuousClock.Instant) -> ContinuousClock.Instant {
        let first = jobs.map(\.submitted).min() ?? now
        return max(first + self.work, now + self.rest)
    }
}
