import Synchronization

package final class Gauge: MetricFamily {
    let name: String
    let help: String
    let kind = "gauge"
    private let number = Atomic<Int>(0)

    init(name: String, help: String) {
        self.name = name
        self.help = help
    }

    package func set(_ value: Int) { self.number.store(value, ordering: .relaxed) }

    package var value: Int { self.number.load(ordering: .relaxed) }

    var samples: [MetricSample] { [MetricSample(suffix: "", labels: "", value: String(self.value))] }
}

/// Numbers that are asked for when they are needed, one for each combination of label values.
struct ObservedTable: MetricFamily {
    let name: String
    let help: String
    let kind: String
    let read: @Sendable () -> (labels: [LabelSet], values: [Int])

    var samples: [MetricSample] {
        let (labels, values) = self.read()
        guard labels.allSatisfy({ !$0.values.isEmpty }) else { return [] }
        precondition(values.count == labels.combinations, "one count for each combination")
        return values.enumerated().map { cell, value in
            MetricSample(suffix: "", labels: labels.text(of: cell), value: String(value))
        }
    }
}
