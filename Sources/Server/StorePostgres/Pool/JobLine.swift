import Dispatch
import Entitlement
import POSIX
import Synchronization

/// What callers asked for, and the threads that do it, each with a connection of its own.
///
/// A thread takes all that waits, up to a bound, and does it together; what comes meanwhile waits for the next free
/// thread. So one round trip, and for changes one commit, serves as many callers as came during the last one.
final class JobLine: Sendable {
    private struct Line {
        var pending: [Job] = []
        var isClosed = false
        var isStarted = false
        var working = 0
        var whenEnded: [CheckedContinuation<Void, Never>] = []
    }

    private let line = Mutex(Line())
    /// Counts what a thread may look for.
    private let bell = DispatchSemaphore(value: 0)
    private let workers: Int
    private let maximumPending: Int
    private let maximumBatch: Int
    private let worker: Worker

    /// - Parameter worker: what each thread does with the jobs it takes.
    init(_ worker: Worker, workers: Int, maximumPending: Int, maximumBatch: Int) {
        self.worker = worker
        self.workers = workers
        self.maximumPending = maximumPending
        self.maximumBatch = maximumBatch
    }

    /// Starts the threads; each connects when it has something to do.
    /// - Returns: whether there is one at least.
    func start() -> Bool {
        for _ in 0..<self.workers {
            self.line.withLock { $0.working += 1 }
            if !startThread({ self.work() }) { self.end() }
        }
        return self.line.withLock { line in
            line.isStarted = line.working > 0
            return line.isStarted
        }
    }

    /// Puts `job` in line, or refuses it at once when the store is closed or the line is full.
    func submit(_ job: Job) {
        let refusal: StoreError? = self.line.withLock { line in
            guard !line.isClosed else { return StoreError(.unavailable, detail: "the store is closed") }
            guard line.pending.count < self.maximumPending else {
                return StoreError(.unavailable, detail: "\(self.maximumPending) callers are waiting already")
            }
            line.pending.append(job)
            return nil
        }
        if let refusal {
            job.refuse(refusal)
        } else {
            self.bell.signal()
        }
    }

    /// Takes no more jobs, finishes those in line, and ends the threads with their connections.
    func close() async {
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            let isEnded = self.line.withLock { line in
                line.isClosed = true
                if line.working > 0 { line.whenEnded.append(done) }
                return line.working == 0
            }
            for _ in 0..<self.workers { self.bell.signal() }
            if isEnded { done.resume() }
        }
    }

    private func work() {
        var session: Session?
        while true {
            self.bell.wait()
            let (late, jobs, isLast): ([Job], [Job], Bool) = self.line.withLock { line in
                let oldest = ContinuousClock.now - self.worker.patience.turn
                let late = Array(line.pending.prefix { $0.submitted < oldest })
                let jobs = Array(line.pending.dropFirst(late.count).prefix(self.maximumBatch))
                line.pending.removeFirst(late.count + jobs.count)
                return (late, jobs, line.isClosed && line.pending.isEmpty)
            }
            // They waited behind others that a lost server held up, and too little of their time is left.
            for job in late { job.refuse(StoreError(.unavailable, detail: "the store was not to be had in time")) }
            if !jobs.isEmpty { session = self.worker.work(on: jobs, session) }
            if isLast { break }
        }
        // The connection closes before the end is told.
        session = nil
        self.end()
    }

    private func end() {
        let waiting: [CheckedContinuation<Void, Never>] = self.line.withLock { line in
            line.working -= 1
            guard line.working == 0 else { return [] }
            defer { line.whenEnded = [] }
            return line.whenEnded
        }
        for continuation in waiting { continuation.resume() }
    }
}
