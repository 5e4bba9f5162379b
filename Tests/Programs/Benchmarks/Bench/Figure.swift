/// One number that a change can be held against.
struct Figure: Sendable {
    enum Goal: Sendable {
        case atLeast(Double)
        case atMost(Double)

        var text: String {
            switch self {
            case .atLeast(let bound): ">=\(bound)"
            case .atMost(let bound): "<=\(bound)"
            }
        }

        func isMet(by value: Double) -> Bool {
            switch self {
            case .atLeast(let bound): value >= bound
            case .atMost(let bound): value <= bound
            }
        }
    }

    let name: String
    /// `ratio`, `ms`, `us`, `s`, `KB`, `MB`, `percent`, `boxes`, `connections` or `wake-ups`.
    let unit: String
    let goal: Goal
    /// What is measured and against what, in a sentence.
    let meaning: String

    /// The line a program reads. A rehearsal judges nothing.
    func resultLine(_ value: Double, isRehearsal: Bool) -> String {
        let met = isRehearsal ? "unjudged" : self.goal.isMet(by: value) ? "yes" : "no"
        return
            "RESULT name=\(self.name) value=\(value.rounded(places: 3)) unit=\(self.unit) goal=\(self.goal.text) met=\(met)"
    }
}

extension Double {
    func rounded(places: Int) -> Double {
        var scale = 1.0
        for _ in 0..<places { scale *= 10 }
        return (self * scale).rounded() / scale
    }
}

extension [Double] {
    /// The middle one, or the mean of the two in the middle. There is at least one.
    var median: Double {
        let sorted = self.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    /// The smallest value that at least `share` of all reach not beyond (nearest rank).
    func percentile(_ share: Double) -> Double {
        let sorted = self.sorted()
        let rank = Int((share * Double(sorted.count)).rounded(.up))
        return sorted[Swift.min(Swift.max(rank - 1, 0), sorted.count - 1)]
    }
}
