import Glibc
import Lifecycle
import Observability
import Synchronization
import Testing

@Suite("A group of services", .serialized, .timeLimit(.minutes(5)))
struct ServiceGroupTests {
    private let diary = Diary()

    final class Diary: Sendable {
        private let entries = Mutex<[String]>([])

        func note(_ entry: String) { self.entries.withLock { $0.append(entry) } }
        var all: [String] { self.entries.withLock { $0 } }
    }

    struct Worker: Service {
        let name: String
        let diary: Diary
        let started = StopSignal()
        var onStart: @Sendable () -> Void = {}

        func run() async throws {
            self.diary.note("start \(self.name)")
            self.started.give()
            self.onStart()
            await StopSignal.current.wait()
            self.diary.note("stop \(self.name)")
        }

        func waitUntilStarted() async throws { await self.started.wait() }
    }

    struct Failing: Service {
        struct Failure: Error, Hashable {}
        let error: Failure?

        func run() async throws { if let error { throw error } }
    }

    struct Stubborn: Service {
        let diary: Diary
        var signals: [Int32] = []

        func run() async throws {
            for number in self.signals { kill(getpid(), number) }
            await StopSignal.current.wait()
            await StopSignal().wait()
            self.diary.note("cancelled \(Task.isCancelled)")
            for number in self.signals where Glibc.signal(number, SIG_DFL) == nil { self.diary.note("a third kills") }
        }
    }

    @Test func `hears of SIGHUP, counts it not among the signals to stop, and is not ended by it`() async throws {
        let heard = StopSignal()
        let worker = Worker(name: "a", diary: diary, onStart: { kill(getpid(), SIGHUP) })
        let group = ServiceGroup(
            [("worker", worker)], logger: .silent,
            onHangUp: {
                diary.note("hang-up")
                heard.give()
            })
        let stop = StopSignal()
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await StopSignal.$current.withValue(stop) { try await group.run() } }
            await heard.wait()
            // The first signal to stop, not the second: the service ends in its own time.
            kill(getpid(), SIGTERM)
            try await tasks.waitForAll()
        }
        // Ended, the group leaves a signal that does nothing.
        kill(getpid(), SIGHUP)
        #expect(diary.all == ["start a", "hang-up", "stop a"])
    }

    @Test func `starts in order and stops in reverse`() async throws {
        let stop = StopSignal()
        let last = Worker(name: "c", diary: diary, onStart: { stop.give() })
        let group = Self.group([Worker(name: "a", diary: diary), Worker(name: "b", diary: diary), last])
        try await StopSignal.$current.withValue(stop) { try await group.run() }
        #expect(diary.all == ["start a", "start b", "start c", "stop c", "stop b", "stop a"])
    }

    @Test("stops when a signal comes, however early, every time", arguments: [SIGTERM, SIGINT])
    func signal(number: Int32) async throws {
        for _ in 0..<50 {
            let diary = Diary()
            let worker = Worker(name: "a", diary: diary, onStart: { kill(getpid(), number) })
            try await ServiceGroup([("a", worker)], logger: .silent).run()
            #expect(diary.all == ["start a", "stop a"])
        }
    }

    @Test func `cancels at a second signal of another kind, and leaves a third of either to the system`() async throws {
        try await ServiceGroup([("s", Stubborn(diary: diary, signals: [SIGTERM, SIGINT]))], logger: .silent).run()
        #expect(diary.all == ["cancelled true", "a third kills", "a third kills"])
    }

    @Test func `takes everything down when one fails, and tells why`() async {
        let group = Self.group([Worker(name: "a", diary: diary), Failing(error: .init())])
        await #expect(throws: Failing.Failure()) { try await group.run() }
        #expect(diary.all == ["start a", "stop a"])
    }

    @Test func `takes a service that ends by itself for one that failed`() async {
        let group = Self.group([Worker(name: "a", diary: diary), Failing(error: nil)])
        await #expect(throws: ServiceEndedEarly.self) { try await group.run() }
        #expect(diary.all == ["start a", "stop a"])
    }

    @Test func `cancels what does not stop in time`() async throws {
        let stop = StopSignal()
        stop.give()
        let group = ServiceGroup(
            [("s", Stubborn(diary: diary))], logger: .silent, stopTimeout: .milliseconds(50),
            handlesSignals: false)
        try await StopSignal.$current.withValue(stop) { try await group.run() }
        #expect(diary.all == ["cancelled true"])
    }

    @Test func `ends when its own task is cancelled`() async throws {
        let started = StopSignal()
        let group = Self.group([Worker(name: "a", diary: diary, onStart: { started.give() })])
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            await started.wait()
            tasks.cancelAll()
            try await tasks.waitForAll()
        }
        #expect(diary.all == ["start a", "stop a"])
    }

    @Test func `may be empty`() async throws {
        try await Self.group([]).run()
    }

    private static func group(_ services: [any Service]) -> ServiceGroup {
        ServiceGroup(services.map { ("member", $0) }, logger: .silent, handlesSignals: false)
    }
}
