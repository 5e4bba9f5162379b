import CLinux
import Glibc
import Synchronization
@_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency

/// Runs all tasks of the process on its first thread, which sleeps while there is nothing to do.
///
/// Swift's own executor on Linux is Dispatch, whose pool looks after its threads once a second for as long as the
/// process lives: sixty wake-ups a minute of a program that waits. This one wakes for work and for timers. It is for a
/// program with little to do, whose tasks do not block.
///
/// The way to set an executor is not yet final in Swift (`ExecutorFactory`, 6.3). If it goes, the program runs on
/// Dispatch, and only wakes more often.
package enum QuietLoop {
    /// Runs `body` to its end. To be called first, from the main thread, once.
    package static func run(_ body: @escaping @Sendable () async -> Void) {
        _createExecutors(factory: QuietExecutors.self)
        // The one task without a parent: it is what the process is for.
        Task {
            await body()
            QuietExecutors.loop.stop()
        }
        QuietExecutors.loop.run()
    }
}

private struct QuietExecutors: ExecutorFactory {
    static let loop = Loop()
    static let first = FirstThreadExecutor(loop: Self.loop)
    static let other = TaskPool(loop: Self.loop)

    static var mainExecutor: any MainExecutor { Self.first }
    static var defaultExecutor: any TaskExecutor { Self.other }
}

/// The jobs of one thread, in order, and its timers.
private final class Loop: Sendable {
    enum Place: Sendable {
        case first, other
    }

    private struct Job: Sendable {
        let job: UnownedJob
        let place: Place
    }

    private struct Timer: Sendable {
        let due: ContinuousClock.Instant
        let job: Job
    }

    private struct State {
        var jobs: [Job] = []
        var timers: [Timer] = []
        var isSleeping = false
        var isStopped = false
    }

    private enum Step {
        case run([Job])
        case sleep(until: ContinuousClock.Instant?)
        case end
    }

    private let state = Mutex(State())
    /// An eventfd(2), which a thread that brings work writes to.
    private let bell = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    /// A timerfd(2): it goes on while the machine sleeps, as the clock of the timers does, and poll(2)'s own time does not.
    private let alarm = timerfd_create(CLOCK_BOOTTIME, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK))

    func add(_ job: UnownedJob, to place: Place) { self.change { $0.jobs.append(Job(job: job, place: place)) } }

    func add(_ job: UnownedJob, after delay: Duration) {
        let timer = Timer(due: .now + delay, job: Job(job: job, place: .other))
        self.change { $0.timers.append(timer) }
    }

    func stop() { self.change { $0.isStopped = true } }

    private func change(_ body: (inout sending State) -> Void) {
        let wasSleeping = self.state.withLock { state in
            body(&state)
            defer { state.isSleeping = false }
            return state.isSleeping
        }
        guard wasSleeping else { return }
        var one: UInt64 = 1
        _ = unsafe write(self.bell, &one, MemoryLayout<UInt64>.size)
    }

    func run() {
        while true {
            switch self.next() {
            case .run(let jobs):
                for job in jobs { self.run(job) }
            case .sleep(let due): self.sleep(until: due)
            case .end: return
            }
        }
    }

    private func next() -> Step {
        self.state.withLock { state in
            if state.isStopped { return .end }
            var jobs = state.jobs
            state.jobs = []
            if !state.timers.isEmpty {
                let now = ContinuousClock.now
                jobs += state.timers.filter { $0.due <= now }.map(\.job)
                state.timers.removeAll { $0.due <= now }
            }
            guard jobs.isEmpty else { return .run(jobs) }
            state.isSleeping = true
            return .sleep(until: state.timers.map(\.due).min())
        }
    }

    private func run(_ job: Job) {
        switch job.place {
        case .first: unsafe job.job.runSynchronously(on: QuietExecutors.first.asUnownedSerialExecutor())
        case .other: unsafe job.job.runSynchronously(on: QuietExecutors.other.asUnownedTaskExecutor())
        }
    }

    private func sleep(until due: ContinuousClock.Instant?) {
        var wanted = [self.bell, self.alarm].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        // No time at all disarms it.
        var time = itimerspec()
        if let left = due.map({ max(.nanoseconds(1), $0 - .now).components }) {
            time.it_value = timespec(tv_sec: Int(left.seconds), tv_nsec: Int(left.attoseconds / 1_000_000_000))
        }
        unsafe timerfd_settime(self.alarm, 0, &time, nil)
        _ = unsafe poll(&wanted, 2, -1)
        self.state.withLock { $0.isSleeping = false }
        var count: UInt64 = 0
        _ = unsafe read(self.bell, &count, MemoryLayout<UInt64>.size)
    }
}

private final class FirstThreadExecutor: MainExecutor {
    private let loop: Loop

    init(loop: Loop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) { self.loop.add(UnownedJob(job), to: .first) }

    func run() { self.loop.run() }

    func stop() { self.loop.stop() }
}

private final class TaskPool: TaskExecutor, SchedulingExecutor {
    private let loop: Loop

    init(loop: Loop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) { self.loop.add(UnownedJob(job), to: .other) }

    func enqueue<C: Clock>(_ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C) {
        // Both clocks of Swift count in this type. A clock of another is not known here, and its job runs at once.
        self.loop.add(UnownedJob(job), after: delay as? Duration ?? .zero)
    }

    func enqueue<C: Clock>(_ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C) {
        self.loop.add(UnownedJob(job), after: clock.now.duration(to: instant) as? Duration ?? .zero)
    }
}
