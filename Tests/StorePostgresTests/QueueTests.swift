import TestSupport
import Testing

@testable import StorePostgres

@Suite("What waits for the threads of a line")
struct QueueTests {
    private static let start = ContinuousClock.now

    private static func queue(bound: Int = 100, batch: Int = 8, worthwhile: Int = 4) -> Queue<Int> {
        Queue(
            Queue.Rules(
                bound: bound, batch: batch, worthwhile: worthwhile, moment: .milliseconds(2),
                patience: .milliseconds(750)))
    }

    /// What a thread does next, as a word.
    private static func word(_ step: Queue<Int>.Step) -> String {
        switch step {
        case .work(let late, let batch, let wakesOther): "work \(late) \(batch)\(wakesOther ? " more" : "")"
        case .watch(let time): "watch \(time / .milliseconds(1))"
        case .rest: "rest"
        case .end: "end"
        }
    }

    private static func next(
        _ queue: inout Queue<Int>, after past: Queue<Int>.Past, milliseconds: Int = 0
    ) -> String {
        self.word(queue.next(after: past, at: self.start + .milliseconds(milliseconds)))
    }

    @Test("A job that comes when no thread is at work wakes one, which takes it at once")
    func idle() {
        var queue = Self.queue()
        #expect(Self.next(&queue, after: .began) == "rest")
        #expect(queue.add(1, at: Self.start))
        #expect(Self.next(&queue, after: .rested) == "work [] [1]")
        #expect(Self.next(&queue, after: .worked) == "rest")
        // Also while another one still watches for what is gone.
        #expect(Self.next(&queue, after: .began) == "rest")
        #expect(queue.add(2, at: Self.start))
        #expect(Self.next(&queue, after: .rested) == "work [] [2]")
        #expect(queue.add(3, at: Self.start))
        #expect(Self.next(&queue, after: .rested) == "watch 2.0")
        #expect(Self.next(&queue, after: .worked) == "work [] [3]")
        #expect(Self.next(&queue, after: .worked) == "rest")
        #expect(queue.add(4, at: Self.start))
    }

    @Test("Beside a thread at work another one waits for more, but for no longer than a moment")
    func gathering() {
        var queue = Self.queue()
        _ = queue.add(1, at: Self.start)
        #expect(Self.next(&queue, after: .began) == "work [] [1]")
        #expect(Self.next(&queue, after: .began) == "rest")
        #expect(Self.next(&queue, after: .began) == "rest")
        #expect(queue.add(2, at: Self.start))
        #expect(Self.next(&queue, after: .rested) == "watch 2.0")
        // One that watches is enough.
        #expect(!queue.add(3, at: Self.start + .milliseconds(1)))
        #expect(Self.next(&queue, after: .rested, milliseconds: 1) == "rest")
        #expect(Self.next(&queue, after: .watched, milliseconds: 2) == "work [] [2, 3]")
    }

    @Test("So many as are worth it are taken at once")
    func worthwhile() {
        var queue = Self.queue()
        _ = queue.add(0, at: Self.start)
        #expect(Self.next(&queue, after: .began) == "work [] [0]")
        #expect(Self.next(&queue, after: .began) == "rest")
        #expect(queue.add(1, at: Self.start))
        #expect(Self.next(&queue, after: .rested) == "watch 2.0")
        #expect((2...3).allSatisfy { !queue.add($0, at: Self.start) })
        #expect(queue.add(4, at: Self.start))
        #expect(Self.next(&queue, after: .watched) == "work [] [1, 2, 3, 4]")
    }

    @Test("A thread takes no more than a batch and has another one woken for the rest; what is late is refused")
    func batch() {
        var queue = Self.queue(bound: 10, batch: 3)
        for number in 1...10 { _ = queue.add(number, at: Self.start + .milliseconds(number > 2 ? 700 : 0)) }
        #expect(queue.isFull)
        #expect(Self.next(&queue, after: .began, milliseconds: 800) == "work [1, 2] [3, 4, 5] more")
        #expect(Self.next(&queue, after: .began, milliseconds: 800) == "work [] [6, 7, 8] more")
        #expect(Self.next(&queue, after: .began, milliseconds: 800) == "work [] [9, 10]")
    }

    @Test("When it is closed threads finish what waits, without a pause, and end")
    func closed() {
        var queue = Self.queue()
        _ = queue.add(1, at: Self.start)
        #expect(Self.next(&queue, after: .began) == "work [] [1]")
        _ = queue.add(2, at: Self.start)
        queue.close()
        #expect(Self.next(&queue, after: .began) == "work [] [2]")
        #expect(Self.next(&queue, after: .worked) == "end")
        #expect(Self.next(&queue, after: .worked) == "end")
    }

    /// Threads as the line has them, on a clock of the test's own.
    @Test("Whatever comes when: nothing waits for longer than a moment and one round of work", arguments: 0..<20)
    func liveness(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var queue = Self.queue(bound: 1000)
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
                    if queue.add(asked.count - 1, at: Self.start + .milliseconds(now)) { permits += 1 }
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
                    switch queue.next(after: threads[index].past, at: Self.start + .milliseconds(now)) {
                    case .work(_, let batch, let wakesOther):
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
        #expect(Self.next(&queue, after: .began, milliseconds: 4000) == "rest")
    }
}
