/// The runs of the flow whose end is being reported, and the calls that wait for that.
struct EndOfRuns: Sendable {
    private var count = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    var isReporting: Bool { self.count > 0 }

    mutating func begin() { self.count += 1 }

    mutating func end() {
        self.count -= 1
        for continuation in self.waiting { continuation.resume() }
        self.waiting = []
    }

    mutating func wait(_ continuation: CheckedContinuation<Void, Never>) { self.waiting.append(continuation) }
}
