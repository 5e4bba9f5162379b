import Synchronization

/// The callers that await a result. Each is answered once: by its call, or by the end of the library, which answers all
/// that are left.
final class WaitingCallers: Sendable {
    /// The ends answer callers by their numbers when the library ends before their calls.
    private let state = Mutex<(last: Int, isClosed: Bool, ends: [Int: @Sendable () -> Void])>((0, false, [:]))

    /// A reply for one caller.
    /// - Parameters:
    ///   - end: the answer when the library ends first, or has ended already.
    ///   - deliver: called once.
    func reply<Result: Sendable>(
        atTheEnd end: Result, _ deliver: @escaping @Sendable (Result) -> Void
    ) -> Reply<Result> {
        let (number, isOver) = self.state.withLock { state in
            state.last += 1
            if !state.isClosed { state.ends[state.last] = { deliver(end) } }
            return (state.last, state.isClosed)
        }
        if isOver { deliver(end) }
        return Reply(caller: number) { [weak self] result in
            guard let self, self.state.withLock({ $0.ends.removeValue(forKey: number) }) != nil else { return }
            deliver(result)
        }
    }

    func close() {
        let ends = self.state.withLock { state in
            state.isClosed = true
            defer { state.ends = [:] }
            return state.ends.sorted { $0.key < $1.key }.map(\.value)
        }
        for end in ends { end() }
    }
}
