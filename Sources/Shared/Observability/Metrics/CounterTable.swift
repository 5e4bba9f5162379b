import POSIX
import Synchronization

/// A counter for every combination of the values of its labels.
///
/// Threads that count the same thing write to different cells, chosen by the thread, so that they do not pass one cache
/// line back and forth; reading adds the cells up.
package final class CounterTable: MetricFamily {
    let name: String
    let help: String
    let kind = "counter"
    private let labels: [LabelSet]
    private let combinations: Int
    private let showsZeros: Bool
    private let shards: [CounterCells]

    private static let shardBits = 2

    init(name: String, help: String, labels: [LabelSet], showsZeros: Bool = false) {
        self.name = name
        self.help = help
        self.labels = labels
        self.combinations = labels.combinations
        self.showsZeros = showsZeros || labels.isEmpty
        let combinations = self.combinations
        self.shards = (0..<1 << Self.shardBits).map { _ in CounterCells(count: combinations) }
    }

    /// Whether it has the labels and values of `other`.
    func counts(like other: CounterTable) -> Bool { self.labels == other.labels }

    /// Counts. `indices` say which value of each label, in the order of the labels.
    package func increment(_ indices: Int..., by amount: Int = 1) {
        self.cells.add(amount, at: self.offset(indices))
    }

    /// Counts in a table of three labels, without the array that any number of labels would need.
    package func increment3(_ first: Int, _ second: Int, _ third: Int) {
        let offset = (first * self.labels[1].values.count + second) * self.labels[2].values.count + third
        self.cells.add(1, at: offset)
    }

    package func value(_ indices: Int...) -> Int { self.value(at: self.offset(indices)) }

    private var cells: CounterCells {
        // The address of a thread's control block: neighbours differ in high bits, so spread them with a product.
        let thread = ThisProcess.threadNumber &* 0x9E37_79B9_7F4A_7C15
        return self.shards[Int(thread >> UInt64(64 - Self.shardBits))]
    }

    private func offset(_ indices: [Int]) -> Int {
        precondition(indices.count == self.labels.count, "One index for each label")
        return zip(indices, self.labels).reduce(0) { $0 * $1.1.values.count + $1.0 }
    }

    private func value(at offset: Int) -> Int { self.shards.reduce(0) { $0 + $1.value(at: offset) } }

    /// Combinations that were counted; with `showsZeros`, and in a table without labels, all of them.
    var samples: [MetricSample] {
        (0..<self.combinations).compactMap { offset in
            let value = self.value(at: offset)
            guard value != 0 || self.showsZeros else { return nil }
            return MetricSample(suffix: "", labels: self.labels.text(of: offset), value: String(value))
        }
    }
}

private final class CounterCells: Sendable {
    private let blocks: [Block]

    init(count: Int) { self.blocks = (0..<(count + 31) / 32).map { _ in Block() } }

    func add(_ amount: Int, at index: Int) {
        self.blocks[index / 32].cells[index % 32].wrappingAdd(amount, ordering: .relaxed)
    }

    func value(at index: Int) -> Int { self.blocks[index / 32].cells[index % 32].load(ordering: .relaxed) }

    private final class Block: Sendable {
        let cells = InlineArray<32, Atomic<Int>> { _ in Atomic(0) }
    }
}
