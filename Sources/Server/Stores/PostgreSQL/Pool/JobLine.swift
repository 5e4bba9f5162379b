import Dispatch
import Entitlement
import POSIX
import Synchronization

/// The callers' jobs and the threads that do them, each with a connection of its own.
///
/// A thread takes all that waits, up to a bound, and does it together; what comes meanwhile waits for the next free
/// thread (``Queue``). So one round trip, and for changes one commit, serves as many callers as came during the last one.
final class JobLine: Sendable {
    private let queue: Mutex<Queue<Job>>
    /// The threads that have not ended.
    private let running = DispatchGroup()
    private let bell = DispatchSemaphore(value: 0)
    private let workers: Int
    private let maximumPending: Int
    private let worker: Worker

    /// - Parameter worker: what each thread does with the jobs it takes.
    init(_ worker: Worker, workers: Int, maximumPending: Int, maximumBatch: Int) {
        self.worker = worker
        self.workers = workers
        self.maximumPending = maximumPending
        let gathers = worker.kind != .reading
        self.queue = Mutex(
            Queue(
                Queue.Rules(
                    bound: maximumPending, batch: maximumBatch, worthwhile: gathers ? min(32, maximumBatch) : 1,
                    moment: .milliseconds(gathers ? 2 : 0), patience: worker.patience.turn)))
    }

    /// Starts the threads; each connects when it has something to do.
    /// - Returns: whether there is one at least.
    func start() -> Bool {
        var isStarted = false
        for _ in 0..<self.workers {
            self.running.enter()
            if startThread({ self.work() }) { isStarted = true } else { self.running.leave() }
        }
        return isStarted
    }

    /// Puts `job` in line, or refuses it at once when the store is closed or the line is full.
    func submit(_ job: Job) {
        let (refusal, wakes): (StoreError?, Bool) = self.queue.withLock { queue in
            if queue.isClosed { return (StoreError(.unavailable, detail: "the store is closed"), false) }
            if queue.isFull {
                return (StoreError(.unavailable, detail: "\(self.maximumPending) callers are waiting already"), false)
            }
            return (nil, queue.add(job, at: job.submitted))
        }
        if let refusal { job.refuse(refusal) }
        if wakes { self.bell.signal() }
    }

    /// Takes no more jobs, finishes those in line, and ends the threads with their connections.
    func close() async {
        self.queue.withLock { $0.close() }
        self.wakeAll()
        await self.running.ended()
    }

    /// Ends connections that rest and lead to a server that is not used any more, within ten seconds.
    func endOldConnections() { self.wakeAll() }

    private func wakeAll() { for _ in 0..<self.workers { self.bell.signal() } }

    private func work() {
        var session: Session?
        var past = Queue<Job>.Past.began
        loop: while true {
            switch self.queue.withLock({ $0.next(after: past, at: .now) }) {
            case .work(let late, let jobs, let wakesOther):
                if wakesOther { self.bell.signal() }
                // They waited behind others that a lost server held up, and too little of their time is left.
                for job in late { job.refuse(StoreError(.unavailable, detail: "the store was not to be had in time")) }
                if !jobs.isEmpty { session = self.worker.work(on: jobs, session) }
                past = .worked
            case .watch(let time):
                _ = self.bell.wait(timeout: .now() + .nanoseconds(Int(time / .nanoseconds(1))))
                past = .watched
            case .rest:
                if session?.isCurrent == false { session = nil }
                // With a connection not for ever: a thread that is awake may take the ring of one that is not yet.
                _ = self.bell.wait(timeout: session == nil ? .distantFuture : .now() + .seconds(10))
                past = .rested
            case .end: break loop
            }
        }
        // The connection closes before the end is told.
        session = nil
        self.running.leave()
    }
}

extension DispatchGroup {
    /// Returns when all that entered have left.
    func ended() async { await withCheckedContinuation { done in self.notify(queue: .global()) { done.resume() } } }
}
