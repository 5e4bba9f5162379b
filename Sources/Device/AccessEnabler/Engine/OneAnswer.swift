import Synchronization

/// An answer that several may give and await; the first counts.
package final class OneAnswer<Answer: Sendable>: Sendable {
    enum State {
        case awaited([CheckedContinuation<Answer, Never>])
        case given(Answer)
    }

    let state = Mutex(State.awaited([]))

    package init() {}

    package func give(_ answer: Answer) {
        let waiting = self.state.withLock { state -> [CheckedContinuation<Answer, Never>] in
            guard case .awaited(let waiting) = state else { return [] }
            state = .given(answer)
            return waiting
        }
        for continuation in waiting { continuation.resume(returning: answer) }
    }

    package func value() async -> Answer {
        await withCheckedContinuation { continuation in
            let known = self.state.withLock { state -> Answer? in
                switch state {
                case .given(let answer): return answer
                case .awaited(let waiting):
                    state = .awaited(waiting + [continuation])
                    return nil
                }
            }
            if let known { continuation.resume(returning: known) }
        }
    }
}

extension Result {
    package init(of work: () async throws(Failure) -> Success) async {
        do throws(Failure) {
            self = .success(try await work())
        } catch {
            self = .failure(error)
        }
    }
}
