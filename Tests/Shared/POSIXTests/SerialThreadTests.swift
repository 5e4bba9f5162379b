import POSIX
import Synchronization
import Testing

@Suite("A serial thread")
struct SerialThreadTests {
    @Test func `runs work in the order it was given, also from many callers and after a rest`() async {
        let thread = SerialThread()
        let seen = Mutex<[Int]>([])
        for round in 0..<3 {
            for number in 0..<200 { thread.run { seen.withLock { $0.append(round * 200 + number) } } }
            await withCheckedContinuation { continuation in thread.run { continuation.resume() } }
        }
        #expect(seen.withLock { $0 } == Array(0..<600))
    }
}
