import AccessEnabler
import Synchronization

/// Hands the news of a code on to the screen that shows it at the moment.
final class PairingNews: Sendable {
    private struct State: Sendable {
        var show: (@Sendable (AccessEnabler.PairingProgress) -> Void)?
        var end: AccessEnabler.CodeEnd?
    }

    private let state = Mutex(State())

    func takeEnd() -> AccessEnabler.CodeEnd? {
        self.state.withLock { state in
            defer { state.end = nil }
            return state.end
        }
    }

    func show(with show: @escaping @Sendable (AccessEnabler.PairingProgress) -> Void) {
        self.state.withLock { $0.show = show }
    }

    var tell: @Sendable (AccessEnabler.PairingProgress) -> Void {
        { progress in
            let show = self.state.withLock { state in
                if case .ended(let end) = progress { state.end = end }
                return state.show
            }
            show?(progress)
        }
    }
}
