import Dispatch
import Glibc

/// Turns SIGINT, SIGTERM and SIGHUP into values, instead of the end of the process.
final class SignalWatch: Sendable {
    private let stream: AsyncStream<Int32>
    // Dispatch sources are made once and only cancelled after that; they are not Sendable by their type alone.
    nonisolated(unsafe) private let sources: [any DispatchSourceSignal]

    init() {
        let (stream, continuation) = AsyncStream<Int32>.makeStream()
        self.stream = stream
        let queue = DispatchQueue(label: "signals")
        unsafe self.sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            // A source sees a signal beside its action; without this the action would end the process.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { continuation.yield(number) }
            source.resume()
            return source
        }
    }

    deinit {
        for source in unsafe self.sources { source.cancel() }
    }

    /// The next signal; `nil` when the task is cancelled.
    func next() async -> Int32? {
        var iterator = self.stream.makeAsyncIterator()
        return await iterator.next()
    }
}
