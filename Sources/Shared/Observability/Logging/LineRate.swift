/// How many lines of one kind may be written, as a value: what strangers cause must not fill a log.
package struct LineRate: Sendable {
    private let lines: Int
    private let span: Duration
    private var start: Duration?
    private var written = 0
    private var dropped = 0

    package init(lines: Int, per span: Duration) {
        precondition(lines > 0, "a rate of lines admits at least one")
        self.lines = lines
        self.span = span
    }

    /// Takes the place of a line.
    /// - Parameter now: by a clock that cannot be set.
    /// - Returns: `nil` without a place, else how many lines had to be dropped since the last one that had a place.
    package mutating func admit(at now: Duration) -> Int? {
        if self.start.map({ now - $0 >= self.span }) ?? true {
            self.start = now
            self.written = 0
        }
        guard self.written < self.lines else {
            self.dropped += 1
            return nil
        }
        self.written += 1
        defer { self.dropped = 0 }
        return self.dropped
    }
}
