import Entitlement
import Synchronization

/// A monotonic clock that goes on when the test says so.
final class ManualUptime: Sendable {
    private let time = Mutex<Duration>(.seconds(1000))

    var now: Duration { self.time.withLock { $0 } }

    func advance(by step: Duration) { self.time.withLock { $0 += step } }
}

/// What the domain told its program.
final class Told: Sendable {
    private let all = Mutex<[DomainNotice]>([])
    private let boxes = Mutex<[BoxStep]>([])

    /// Without what boxes do all day.
    var notices: [DomainNotice] { self.all.withLock { $0 } }
    var events: [BoxStep] { self.boxes.withLock { $0 } }

    func note(_ notice: DomainNotice) {
        if case .box(let event) = notice {
            self.boxes.withLock { $0.append(event) }
        } else {
            self.all.withLock { $0.append(notice) }
        }
    }
}
