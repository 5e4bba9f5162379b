import Dispatch
import Glibc
import Synchronization

/// Turns signals of the process into calls, one listener at a time.
///
/// A handler writes the signal's number into a pipe, which is about all a handler may do; a Dispatch source reads it.
/// Dispatch's own signal sources are not used: on Linux they miss a signal that comes while they are being set up, or
/// that the kernel hands to a thread which ignores it.
struct SignalListener {
    private let signals: [Int32]

    /// Listens until `stop`. `body` runs on a queue of its own, so a blocked thread pool keeps no signal out.
    ///
    /// - Returns: `nil` when the process may open no more files; then the signals do what they did before.
    init?(_ signals: [Int32], body: @escaping @Sendable (Int32) -> Void) {
        guard Self.relay.isOpen else { return nil }
        self.signals = signals
        Self.relay.listener.withLock { $0 = body }
        // Set before the first handler can look at it.
        Self.writeEnd.store(Self.relay.writeEnd, ordering: .sequentiallyConsistent)
        for number in signals { signal(number, Self.handler) }
    }

    /// The signals do again what they do by default.
    func stop() {
        for number in self.signals { signal(number, SIG_DFL) }
        Self.relay.listener.withLock { $0 = nil }
    }

    private static let relay = SignalRelay()

    /// Apart from the relay, because a handler must not be the one to make it.
    private static let writeEnd = Atomic<Int32>(-1)

    private static let handler: @convention(c) (Int32) -> Void = { number in
        let saved = errno
        var byte = UInt8(truncatingIfNeeded: number)
        // A full pipe holds more signals than anybody will act on.
        _ = unsafe write(SignalListener.writeEnd.load(ordering: .relaxed), &byte, 1)
        errno = saved
    }
}

/// The pipe of the handlers, and who reads it.
///
/// There is one for the whole process, and it is never closed: a handler may be about to write while its listener
/// stops, and a source that is cancelled may still take what was meant for the next.
private final class SignalRelay: Sendable {
    let listener = Mutex<(@Sendable (Int32) -> Void)?>(nil)
    let writeEnd: Int32

    var isOpen: Bool { self.writeEnd >= 0 }

    init() {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else {
            self.writeEnd = -1
            return
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        self.writeEnd = ends[1]
        let readEnd = ends[0]
        let source = DispatchSource.makeReadSource(fileDescriptor: readEnd, queue: DispatchQueue(label: "signals"))
        // The source and its handler hold each other, which keeps both for as long as the process lives.
        source.setEventHandler {
            withExtendedLifetime(source) {
                var byte: UInt8 = 0
                while unsafe read(readEnd, &byte, 1) == 1 { self.listener.withLock { $0 }?(Int32(byte)) }
            }
        }
        source.resume()
    }
}
