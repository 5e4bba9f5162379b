/// Signals as values, instead of the end of the process, for as long as this is there.
package final class SignalStream: Sendable {
    private let stream: AsyncStream<Signal>
    private let listener: SignalListener?

    /// One at a time in a process, as with ``SignalListener``.
    package init(_ signals: [Signal]) {
        let (stream, continuation) = AsyncStream.makeStream(of: Signal.self)
        self.stream = stream
        self.listener = SignalListener(signals) { signal, _ in continuation.yield(signal) }
    }

    deinit { self.listener?.stop() }

    /// The next signal; `nil` when the task is cancelled.
    package func next() async -> Signal? {
        var iterator = self.stream.makeAsyncIterator()
        return await iterator.next()
    }
}
