import Synchronization

/// An answer that several may give and one awaits; the first counts.
final class OneAnswer<Answer: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Answer, Never>)
        case given(Answer)
    }

    private let state = Mutex(State.open)

    func give(_ answer: Answer) {
        let waiting = self.state.withLock { state -> CheckedContinuation<Answer, Never>? in
            switch state {
            case .given: return nil
            case .open:
                state = .given(answer)
                return nil
            case .awaited(let continuation):
                state = .given(answer)
                return continuation
            }
        }
        waiting?.resume(returning: answer)
    }

    /// The first answer. One task awaits it.
    func value() async -> Answer {
        await withCheckedContinuation { continuation in
            let known = self.state.withLock { state -> Answer? in
                if case .given(let answer) = state { return answer }
                state = .awaited(continuation)
                return nil
            }
            if let known { continuation.resume(returning: known) }
        }
    }
}

extension Result {
    /// The result of work that waits.
    package init(of work: () async throws(Failure) -> Success) async {
        do throws(Failure) {
            self = .success(try await work())
        } catch {
            self = .failure(error)
        }
    }
}
