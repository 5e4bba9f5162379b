import Glibc
import Synchronization

/// Turns signals of the process into calls, one listener at a time.
///
/// A handler writes the signal's number into a pipe, which is about all a handler may do; a thread reads it. Dispatch's
/// signal sources are not used: on Linux they miss a signal that comes while they are being set up, or that the kernel
/// hands to a thread which ignores it. And Dispatch wakes a process that uses its pool once a second.
package struct SignalListener: Sendable {
    private let signals: [Signal]

    /// Listens until `stop`.
    /// - Parameter body: told the signal, and how many of the kind have come with it. Runs on a thread of its own, one call
    ///   after the other, so a blocked thread pool keeps no signal out.
    /// - Returns: `nil` when the process may open no more files; then the signals do what they did before.
    package init?(_ signals: [Signal], body: @escaping @Sendable (_ signal: Signal, _ count: Int) -> Void) {
        guard let relay = Self.relay else { return nil }
        self.signals = signals
        relay.listener.withLock { $0 = SignalRelay.Listener(body: body) }
        // Set before the first handler can look at it.
        Self.writingEnd.store(relay.pipe.writing.number, ordering: .sequentiallyConsistent)
        for signal in signals { signal.handle(with: Self.handler) }
    }

    /// The signals do again what they do by default.
    /// - Parameter ignored: one that is ignored instead, without a moment between.
    package func stop(ignoring ignored: Signal? = nil) {
        for signal in self.signals {
            if signal == ignored { signal.ignore() } else { signal.restoreDefault() }
        }
        Self.relay?.listener.withLock { $0 = nil }
    }

    private static let relay = SignalRelay()

    /// Apart from the relay, because a handler must not be the one to make it.
    private static let writingEnd = Atomic<Int32>(-1)

    private static let handler: @convention(c) (Int32) -> Void = { number in
        let saved = errno
        // A full pipe holds more signals than any listener acts on.
        Pipe.put(UInt8(truncatingIfNeeded: number), into: SignalListener.writingEnd.load(ordering: .relaxed))
        errno = saved
    }
}

/// The pipe of the handlers, and the listener that reads it.
///
/// There is one for the whole process, and it is never closed: a handler may be about to write while its listener
/// stops, and a source that is cancelled may still take what was meant for the next.
private final class SignalRelay: Sendable {
    struct Listener: Sendable {
        let body: @Sendable (Signal, Int) -> Void
        /// By whether they are the terminal's going away; signals that ask to end are one kind.
        var counts: [Bool: Int] = [:]

        mutating func count(_ signal: Signal) -> Int {
            self.counts[signal == .hangUp, default: 0] += 1
            return self.counts[signal == .hangUp, default: 0]
        }
    }

    let listener = Mutex<Listener?>(nil)
    let pipe: Pipe

    init?() {
        guard let pipe = try? Pipe() else { return nil }
        self.pipe = pipe
        // The thread holds this, which keeps both for as long as the process lives.
        guard startThread({ self.relay() }) else { return nil }
    }

    private func relay() {
        while self.pipe.waitUntilReadable() {
            while let number = self.pipe.take() { self.report(Signal(rawValue: Int32(number))) }
        }
    }

    private func report(_ signal: Signal) {
        let (listener, count) = self.listener.withLock { listener in
            let count = listener?.count(signal) ?? 0
            return (listener, count)
        }
        listener?.body(signal, count)
    }
}

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
