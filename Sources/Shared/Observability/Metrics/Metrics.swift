import Synchronization

/// The counters, gauges and histograms of a program, and their Prometheus text.
///
/// Everything is registered while the program is put together, with every value a label can have. Counting after
/// that touches no lock, and a client cannot make the registry grow.
package final class Metrics: Sendable {
    private let families = Mutex<[any MetricFamily]>([])

    package init() {}

    package func counter(_ name: StaticString, help: StaticString) -> CounterTable {
        self.counterTable(name, help: help, labels: [])
    }

    /// A counter for every combination of label values. The product of the sets should stay below some 100,000.
    ///
    /// A part of a program that is put together anew goes on with the counter of the same name and labels.
    /// - Parameter showsZeros: also combinations that were not counted yet are written. A rule that asks how much a
    ///   counter rose does not see it rise from nothing; the product of the sets should then stay below some hundred.
    package func counterTable(
        _ name: StaticString, help: StaticString, labels: [LabelSet], showsZeros: Bool = false
    ) -> CounterTable {
        let table = CounterTable(name: "\(name)", help: "\(help)", labels: labels, showsZeros: showsZeros)
        return self.register(table) { $0.counts(like: table) }
    }

    /// A number that goes up and down. A part of a program that is put together anew goes on with the gauge of the same
    /// name.
    package func gauge(_ name: StaticString, help: StaticString) -> Gauge {
        self.register(Gauge(name: "\(name)", help: "\(help)")) { _ in true }
    }

    /// A number that is asked for when the text is made.
    package func gauge(_ name: StaticString, help: StaticString, read: @escaping @Sendable () -> Int) {
        self.register(ObservedTable(name: "\(name)", help: "\(help)", kind: "gauge") { ([], [read()]) })
    }

    /// A count that is kept elsewhere, and asked for when the text is made. It must never go down.
    package func counter(_ name: StaticString, help: StaticString, read: @escaping @Sendable () -> Int) {
        self.register(ObservedTable(name: "\(name)", help: "\(help)", kind: "counter") { ([], [read()]) })
    }

    /// Counts that a part of the program keeps, asked for when the text is made. They must never go down.
    /// - Parameter read: the labels of the moment, and one count for each combination of their values, the last label
    ///   fastest.
    package func counterTable(
        _ name: StaticString, help: StaticString,
        read: @escaping @Sendable () -> (labels: [LabelSet], values: [Int])
    ) {
        self.register(ObservedTable(name: "\(name)", help: "\(help)", kind: "counter", read: read))
    }

    /// The same for numbers that go up and down.
    package func gaugeTable(
        _ name: StaticString, help: StaticString,
        read: @escaping @Sendable () -> (labels: [LabelSet], values: [Int])
    ) {
        self.register(ObservedTable(name: "\(name)", help: "\(help)", kind: "gauge", read: read))
    }

    /// Durations, counted by the bounds of their buckets, in seconds in the text.
    package func histogram(
        _ name: StaticString, help: StaticString, bounds: [Duration] = Histogram.requestBounds
    ) -> Histogram {
        self.register(Histogram(name: "\(name)", help: "\(help)", bounds: bounds))
    }

    /// Everything in the text format 0.0.4 of Prometheus; send it as `text/plain; version=0.0.4`.
    package func prometheusText() -> String {
        let families = self.families.withLock { $0 }
        return families.map { family in
            "# HELP \(family.name) \(family.help)\n# TYPE \(family.name) \(family.kind)\n"
                + family.samples.map { "\(family.name)\($0.suffix)\($0.labels) \($0.value)\n" }.joined()
        }.joined()
    }

    /// The sum of the counters or the gauge of a name; 0 when there are none.
    /// - Parameter labels: a part of what stands between a sample's braces; an empty one is in all.
    package func sum(of name: String, where labels: String = "") -> Int {
        let family = self.families.withLock { families in families.first { $0.name == name } }
        return (family?.samples ?? []).filter { labels.isEmpty || $0.labels.contains(labels) }
            .compactMap { Int($0.value) }.reduce(0, +)
    }

    /// - Parameter isSame: whether the family of that name is held on to in place of this one.
    @discardableResult
    private func register<Family: MetricFamily>(
        _ family: Family, unless isSame: (Family) -> Bool = { _ in false }
    ) -> Family {
        self.families.withLock { families in
            if let held = families.first(where: { $0.name == family.name }) as? Family, isSame(held) { return held }
            precondition(!families.contains { $0.name == family.name }, "Two metrics of one name")
            families.append(family)
            return family
        }
    }
}

protocol MetricFamily: Sendable {
    var name: String { get }
    var help: String { get }
    var kind: String { get }
    var samples: [MetricSample] { get }
}

struct MetricSample {
    let suffix: String
    /// In braces, or empty.
    let labels: String
    let value: String
}
