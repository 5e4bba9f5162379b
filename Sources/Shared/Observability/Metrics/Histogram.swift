package final class Histogram: MetricFamily {
    /// From a tenth of a millisecond to ten seconds.
    package static let requestBounds: [Duration] = [
        .microseconds(100), .microseconds(250), .microseconds(500), .milliseconds(1), .microseconds(2500),
        .milliseconds(5), .milliseconds(10), .milliseconds(25), .milliseconds(50), .milliseconds(100),
        .milliseconds(250), .milliseconds(500), .seconds(1), .milliseconds(2500), .seconds(5), .seconds(10),
    ]

    let name: String
    let help: String
    let kind = "histogram"
    /// Rising, in microseconds.
    private let bounds: [Int]
    /// One for each bound, and the last for what exceeds them all.
    private let buckets: CounterTable
    private let sum: CounterTable

    init(name: String, help: String, bounds: [Duration]) {
        self.name = name
        self.help = help
        self.bounds = bounds.map(\.wholeMicroseconds)
        precondition(zip(self.bounds, self.bounds.dropFirst()).allSatisfy(<), "Bounds rise")
        let values = (0...self.bounds.count).map(String.init)
        self.buckets = CounterTable(name: name, help: "", labels: [LabelSet("bucket", values)])
        self.sum = CounterTable(name: name, help: "", labels: [])
    }

    package func observe(_ duration: Duration) { self.observe(microseconds: duration.wholeMicroseconds) }

    package func observe(microseconds: Int) {
        self.buckets.increment(self.bounds.firstIndex { microseconds <= $0 } ?? self.bounds.count)
        self.sum.increment(by: microseconds)
    }

    var samples: [MetricSample] {
        var total = 0
        var samples: [MetricSample] = []
        for (index, bound) in self.bounds.enumerated() {
            total += self.buckets.value(index)
            let label = "{le=\"\(Self.seconds(bound))\"}"
            samples.append(MetricSample(suffix: "_bucket", labels: label, value: String(total)))
        }
        total += self.buckets.value(self.bounds.count)
        samples.append(MetricSample(suffix: "_bucket", labels: "{le=\"+Inf\"}", value: String(total)))
        samples.append(MetricSample(suffix: "_sum", labels: "", value: Self.seconds(self.sum.value())))
        samples.append(MetricSample(suffix: "_count", labels: "", value: String(total)))
        return samples
    }

    private static func seconds(_ microseconds: Int) -> String { String(Double(microseconds) / 1_000_000) }
}

extension Duration {
    var wholeMicroseconds: Int {
        Int(self.components.seconds) * 1_000_000 + Int(self.components.attoseconds / 1_000_000_000_000)
    }
}
