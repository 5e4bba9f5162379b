/// Something that has happened, and may be awaited before or after.
package final class Signal<Value: Sendable>: Sendable {
    private let stream: AsyncStream<Value>
    private let continuation: AsyncStream<Value>.Continuation

    package init() { (self.stream, self.continuation) = AsyncStream.makeStream() }

    package func send(_ value: Value) { self.continuation.yield(value) }

    /// The next value; one waits at a time.
    package func next() async -> Value? {
        var iterator = self.stream.makeAsyncIterator()
        return await iterator.next()
    }
}
