import Synchronization

/// What a load saw that no fault excuses, and how long it waited.
final class NodeFindings: Sendable {
    private struct State {
        var broken: [String] = []
        var answers = 0
        var refusals = 0
        var lost = 0
        var longestAnswer = Duration.zero
        var longestLateness = Duration.zero
    }

    private let state = Mutex(State())

    /// Promises that were broken since this was asked last, one sentence each.
    func takeBroken() -> [String] {
        self.state.withLock { state in
            defer { state.broken = [] }
            return state.broken
        }
    }

    func note(_ sentence: String) { self.state.withLock { $0.broken.append(sentence) } }

    func noteAnswer(after time: Duration, isRefusal: Bool) {
        self.state.withLock { state in
            state.answers += 1
            if isRefusal { state.refusals += 1 }
            state.longestAnswer = max(state.longestAnswer, time)
        }
    }

    /// A call had no answer, and its node had an excuse.
    func noteLoss() { self.state.withLock { $0.lost += 1 } }

    /// A node knew a fact only so long after it was acknowledged elsewhere.
    func noteLateness(_ time: Duration) {
        self.state.withLock { $0.longestLateness = max($0.longestLateness, time) }
    }

    var summary: String {
        self.state.withLock { state in
            "\(state.answers) answers, \(state.refusals) of them 503, \(state.lost) calls lost with their node, "
                + "longest answer \(state.longestAnswer), longest lateness \(state.longestLateness)"
        }
    }
}
