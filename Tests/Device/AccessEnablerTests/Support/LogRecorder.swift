import Observability
import Synchronization

/// Keeps every log line, and tells when one comes.
final class LogRecorder: Sendable {
    private struct State {
        var lines: [String] = []
        var waiting: [(text: String, count: Int, continuation: CheckedContinuation<Void, Never>)] = []

        func occurrences(of text: String) -> Int { self.lines.count { $0.contains(text) } }
    }

    private let state = Mutex(State())

    var text: String { self.state.withLock { $0.lines.joined() } }

    var logger: Logger { Logger(component: "test", level: .debug, sink: LogSink { self.take($0) }) }

    func count(_ text: String) -> Int { self.state.withLock { $0.occurrences(of: text) } }

    func wait(for text: String, count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isThere = self.state.withLock { state in
                if state.occurrences(of: text) >= count { return true }
                state.waiting.append((text, count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    private func take(_ line: String) {
        let ready = self.state.withLock { state in
            state.lines.append(line)
            let current = state
            defer { state.waiting.removeAll { current.occurrences(of: $0.text) >= $0.count } }
            return state.waiting.filter { current.occurrences(of: $0.text) >= $0.count }
        }
        for item in ready { item.continuation.resume() }
    }
}
