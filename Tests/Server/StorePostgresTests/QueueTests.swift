import TestSupport
import Testing

@testable import Stores

@Suite("What waits for the threads of a line")
struct QueueTests {
    private static let start = ContinuousClock.now

    /// A queue whose answers are words, on a clock that is told by the millisecond.
    private final class Line {
        private var queue: Queue<Int>

        init(bound: Int = 100, batch: Int = 8, worthwhile: Int = 4) {
            self.queue = Queue(
                Queue.Rules(
                    bound: bound, batch: batch, worthwhile: worthwhile, moment: .milliseconds(2),
                    patience: .milliseconds(750)))
        }

        var isFull: Bool { self.queue.isFull }

        func add(_ number: Int, at milliseconds: Int = 0) -> Bool {
            self.queue.add(number, at: QueueTests.start + .milliseconds(milliseconds))
        }

        func close() { self.queue.close() }

        func step(after past: Queue<Int>.Past, at milliseconds: Int = 0) -> Queue<Int>.Step {
            self.queue.next(after: past, at: QueueTests.start + .milliseconds(milliseconds))
        }

        /// What a thread does next, as a word.
        func next(after past: Queue<Int>.Past, at milliseconds: Int = 0) -> String {
            switch self.step(after: past, at: milliseconds) {
            case .work(let late, let batch, let wakesOther): "work \(late) \(batch)\(wakesOther ? " more" : "")"
            case .watch(let time): "watch \(time / .milliseconds(1))"
            case .rest: "rest"
            case .end: "end"
            }
        }
    }

    @Test func `A job that comes when no thread is at work wakes one, which takes it at once`() {
        let line = Line()
        #expect(line.next(after: .began) == "rest")
        #expect(line.add(1))
        #expect(line.next(after: .rested) == "work [] [1]")
        #expect(line.next(after: .worked) == "rest")
        // Also while another one still watches for what is gone.
        #expect(line.next(after: .began) == "rest")
        #expect(line.add(2))
        #expect(line.next(after: .rested) == "work [] [2]")
        #expect(line.add(3))
        #expect(line.next(after: .rested) == "watch 2.0")
        #expect(line.next(after: .worked) == "work [] [3]")
        #expect(line.next(after: .worked) == "rest")
        #expect(line.add(4))
    }

    @Test func `Beside a thread at work another one waits for more, but for no longer than a moment`() {
        let line = Line()
        _ = line.add(1)
        #expect(line.next(after: .began) == "work [] [1]")
        #expect(line.next(after: .began) == "rest")
        #expect(line.next(after: .began) == "rest")
        #expect(line.add(2))
        #expect(line.next(after: .rested) == "watch 2.0")
        // One that watches is enough.
        #expect(!line.add(3, at: 1))
        #expect(line.next(after: .rested, at: 1) == "rest")
        #expect(line.next(after: .watched, at: 2) == "work [] [2, 3]")
    }

    @Test func `So many as are worth it are taken at once`() {
        let line = Line()
        _ = line.add(0)
        #expect(line.next(after: .began) == "work [] [0]")
        #expect(line.next(after: .began) == "rest")
        #expect(line.add(1))
        #expect(line.next(after: .rested) == "watch 2.0")
        #expect((2...3).allSatisfy { !line.add($0) })
        #expect(line.add(4))
        #expect(line.next(after: .watched) == "work [] [1, 2, 3, 4]")
    }

    @Test func `A thread takes no more than a batch and has one that rests woken for more; what is late is refused`() {
        let line = Line(bound: 10, batch: 3)
        for _ in 0..<2 { #expect(line.next(after: .began) == "rest") }
        for number in 1...10 { _ = line.add(number, at: number > 2 ? 700 : 0) }
        #expect(line.isFull)
        #expect(line.next(after: .rested, at: 800) == "work [1, 2] [3, 4, 5] more")
        // Now all are at work, and the first that is done takes the rest.
        #expect(line.next(after: .rested, at: 800) == "work [] [6, 7, 8]")
        #expect(line.next(after: .worked, at: 800) == "work [] [9, 10]")
    }

    @Test func `When it is closed threads finish what waits, without a pause, and end`() {
        let line = Line()
        _ = line.add(1)
        #expect(line.next(after: .began) == "work [] [1]")
        _ = line.add(2)
        line.close()
        #expect(line.next(after: .began) == "work [] [2]")
        #expect(line.next(after: .worked) == "end")
        #expect(line.next(after: .worked) == "end")
    }

    /// Threads as the line has them, on a clock of the test's own.
    @Test("Whatever comes when: nothing waits for longer than a moment and one round of work", arguments: 0..<20)
    func liveness(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let line = Line(bound: 1000)
        var permits = 0
        // Until when each of three threads is busy, and with what.
        var threads: [(past: Queue<Int>.Past, until: Int?, rests: Bool)] = Array(
            repeating: (.began, 0, false), count: 3)
        var asked: [Int] = []
        var longest = 0
        for now in 0..<3000 {
            if now < 2000, Int.random(in: 0..<3, using: &random) == 0 {
                for _ in 0...Int.random(in: 0..<6, using: &random) {
                    asked.append(now)
                    if line.add(asked.count - 1, at: now) { permits += 1 }
                }
            }
            var moved = true
            while moved {
                moved = false
                for index in threads.indices {
                    let isDue = threads[index].until.map { $0 <= now } ?? false
                    let isWoken = !isDue && permits > 0 && (threads[index].rests || threads[index].past == .watched)
                    guard isDue || isWoken else { continue }
                    if isWoken { permits -= 1 }
                    moved = true
                    switch line.step(after: threads[index].past, at: now) {
                    case .work(let late, let batch, let wakesOther):
                        #expect(late.isEmpty)
                        if wakesOther { permits += 1 }
                        for number in batch { longest = max(longest, now - asked[number]) }
                        threads[index] = (.worked, now + Int.random(in: 1...5, using: &random), false)
                    case .watch(let time): threads[index] = (.watched, now + Int(time / .milliseconds(1)), false)
                    case .rest: threads[index] = (.rested, nil, true)
                    case .end: Issue.record("a line that is open ended")
                    }
                }
            }
        }
        #expect(longest <= 7, "a job waited for \(longest) ms")
        #expect(line.next(after: .began, at: 4000) == "rest")
    }
}
