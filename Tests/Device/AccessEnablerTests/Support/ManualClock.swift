import AccessEnabler
import Clientless
import Synchronization
import TestSupport

/// A clock that moves only when the test moves it.
final class ManualClock: BoxClock {
    private struct Sleeper {
        let number: Int
        let end: Duration
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var now: Timestamp
        var uptime = Duration.zero
        var last = 0
        var cancelled: Set<Int> = []
        var sleepers: [Sleeper] = []
    }

    private let state: Mutex<State>
    /// Sends the length of each sleep once advancing the clock would end it.
    let slept = Signal<Duration>()

    init(seconds: Int64 = 1_800_000_000) { self.state = Mutex(State(now: Timestamp(seconds: seconds))) }

    var now: Timestamp { self.state.withLock(\.now) }
    var uptime: Duration { self.state.withLock(\.uptime) }

    /// Sets the time of day, as the network does; those who sleep sleep on.
    func step(by duration: Duration) { self.state.withLock { $0.now = $0.now + duration } }

    func advance(by duration: Duration) {
        let awake = self.state.withLock { state in
            state.now = state.now + duration
            state.uptime += duration
            let uptime = state.uptime
            defer { state.sleepers.removeAll { $0.end <= uptime } }
            return state.sleepers.filter { $0.end <= uptime }
        }
        for sleeper in awake { sleeper.continuation.resume(returning: true) }
    }

    func sleep(for duration: Duration) async throws(CancellationError) {
        guard duration > .zero else {
            if Task.isCancelled { throw CancellationError() }
            return
        }
        let number = self.state.withLock { state in
            state.last += 1
            return state.last
        }
        let isOver = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCancelled = self.state.withLock { state in
                    guard state.cancelled.remove(number) == nil else { return true }
                    state.sleepers.append(
                        Sleeper(number: number, end: state.uptime + duration, continuation: continuation))
                    return false
                }
                if isCancelled { continuation.resume(returning: false) } else { self.slept.send(duration) }
            }
        } onCancel: {
            let sleeper = self.state.withLock { state -> Sleeper? in
                guard let index = state.sleepers.firstIndex(where: { $0.number == number }) else {
                    state.cancelled.insert(number)
                    return nil
                }
                return state.sleepers.remove(at: index)
            }
            sleeper?.continuation.resume(returning: false)
        }
        guard isOver else { throw CancellationError() }
    }
}
