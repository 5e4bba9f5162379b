import AccessEnabler
import Synchronization

/// Hands the news of a code on to the screen that shows it at the moment.
final class PairingNews: Sendable {
    typealias Show = @Sendable (AccessEnabler.PairingProgress) -> Void

    private let state = Mutex<(show: Show?, end: AccessEnabler.CodeEnd?)>((nil, nil))

    func takeEnd() -> AccessEnabler.CodeEnd? {
        self.state.withLock { state in
            defer { state.end = nil }
            return state.end
        }
    }

    func show(with show: @escaping Show) { self.state.withLock { $0.show = show } }

    var tell: Show {
        { progress in
            let show = self.state.withLock { state in
                if case .ended(let end) = progress { state.end = end }
                return state.show
            }
            show?(progress)
        }
    }
}
