import Lifecycle
import POSIX

/// Gives pages of code back when the agent has rested for a moment: it waits nearly all of its life.
struct MemoryRest: Service {
    private static let pause: Duration = .seconds(3)

    let noteActivity: @Sendable () -> Void
    private let activity: AsyncStream<Void>

    init() {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.activity = stream
        self.noteActivity = { continuation.yield() }
        // Starting is the first activity.
        continuation.yield()
    }

    func run() async {
        await StopSignal.cancelling {
            for await _ in self.activity {
                guard (try? await Task.sleep(for: Self.pause)) != nil else { return }
                ThisProcess.releaseCode()
            }
        }
    }
}
