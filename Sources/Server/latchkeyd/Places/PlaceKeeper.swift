import Lifecycle
import Observability
import POSIX
import ServerAPI
import Synchronization

/// Reads the operator's file of places after the start, and again after the configuration was read again where the file
/// changed. Nothing waits for it; what cannot be used leaves the places as they are.
final class PlaceKeeper: Service {
    private struct State {
        /// What is to be used; `nil` for no places.
        var wanted: String?
        /// What is in use.
        var used: (path: String, version: FileVersion)?
    }

    let book = PlaceBook()
    private let logger: Logger
    private let state = Mutex(State())
    private let requests: AsyncStream<Void>
    private let mailbox: AsyncStream<Void>.Continuation

    init(logger: Logger) {
        self.logger = logger.named("places")
        // Several requests while one is under way are one.
        (self.requests, self.mailbox) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Uses the file at `path` from now on, or none.
    func follow(_ path: String?) {
        self.state.withLock { $0.wanted = path }
        self.mailbox.yield(())
    }

    func run() async throws {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in self.requests { await self.read() } }
            await StopSignal.current.wait()
            group.cancelAll()
        }
    }

    /// Reads what is wanted, unless it is in use.
    func read() async {
        let (wanted, used) = self.state.withLock { ($0.wanted, $0.used) }
        guard let path = wanted else {
            self.state.withLock { $0.used = nil }
            return self.book.use(PlaceTable())
        }
        do {
            // Before the content: a file that is replaced meanwhile is read again the next time.
            let version = try FileVersion(of: path)
            guard used?.path != path || used?.version != version else { return }
            var file = try PlaceFile(path)
            while true {
                guard !Task.isCancelled else { return }
                if let table = try file.next() {
                    self.book.use(table)
                    self.state.withLock { $0.used = (path, version) }
                    return self.logger.notice(
                        "places of addresses were read", [.file: .text(path), .count: .number(table.count)])
                }
                await Task.yield()
            }
        } catch {
            self.logger.error(
                "a file of places cannot be used, and pages show what they showed before",
                [.file: .text(path), .detail: .text("\(error)")])
        }
    }
}
