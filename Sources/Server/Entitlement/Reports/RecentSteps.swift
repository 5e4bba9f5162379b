import Clientless

/// Steps of boxes in the last sixty minutes, by the minute. Its room is the same however many there are.
struct RecentSteps: Sendable {
    static let span = 60

    private struct Minute: Sendable {
        /// Minutes since 1970.
        var number: Int64 = -1
        var counts: [Int] = []
    }

    private var ring = Array(repeating: Minute(), count: Self.span)

    /// Counts an event. One that is older than what its place holds is left out.
    mutating func count(_ kind: BoxEvent.Kind, at moment: Timestamp) {
        guard moment.milliseconds >= 0, let index = BoxEvent.Kind.allCases.firstIndex(of: kind) else { return }
        let number = moment.seconds / 60
        let place = Int(number % Int64(Self.span))
        guard self.ring[place].number <= number else { return }
        if self.ring[place].number < number { self.ring[place] = Minute(number: number, counts: Self.none) }
        self.ring[place].counts[index] += 1
    }

    /// A row for each minute up to that of `now`, the oldest first, with the count of each kind in its order.
    func minutes(until now: Timestamp) -> [[Int]] {
        let last = max(0, now.seconds / 60)
        return (0..<Self.span).map { back in
            let number = last - Int64(Self.span - 1 - back)
            guard number >= 0 else { return Self.none }
            let minute = self.ring[Int(number % Int64(Self.span))]
            return minute.number == number ? minute.counts : Self.none
        }
    }

    private static let none = Array(repeating: 0, count: BoxEvent.Kind.allCases.count)
}
