package import Clientless
import Synchronization

/// What one limit of this node counted since it last told the others.
package protocol LimitNotes: Codable, Sendable {
    init()

    var isEmpty: Bool { get }

    /// Takes what fits into one sheet, and leaves the rest for the next.
    mutating func takeSheet() -> Self
}

extension LimitNotes {
    /// Takes all.
    package mutating func takeSheet() -> Self {
        defer { self = Self() }
        return self
    }
}

/// A limit whose counts the nodes tell one another (``LimitExchange``).
package protocol SharedLimit: Sendable {
    associatedtype Notes: LimitNotes

    /// Takes what was counted since the last time, as much of it as fits into one sheet.
    func takeNotes(at uptime: Duration) -> Notes

    /// Counts what another node counted, as if it had happened here.
    /// - Parameters:
    ///   - uptime: when it happened, by the clock of the limits; ``LimitExchange/life`` ago at most.
    ///   - now: the same by the wall clock.
    func count(_ notes: Notes, at uptime: Duration, now: Timestamp)
}

/// Where a limit writes down what the other nodes have to know, until it is taken and told them.
package final class Notebook<Notes: LimitNotes>: Sendable {
    private let isOpen: Bool
    private let notes = Mutex(Notes())

    /// - Parameter isOpen: false where there are no other nodes, and nothing is written.
    package init(isOpen: Bool) {
        self.isOpen = isOpen
    }

    package func write(_ change: (inout Notes) -> Void) {
        guard self.isOpen else { return }
        self.notes.withLock { change(&$0) }
    }

    package func take() -> Notes {
        self.notes.withLock { $0.takeSheet() }
    }
}

/// How often each of a bounded number of things happened, as a value.
///
/// An attack from more things than a sheet holds is told of in parts, the loudest first, and what all of it comes to with
/// the first.
package struct NotedCounts<Thing: Hashable & Codable & Sendable>: Hashable, Codable, Sendable {
    /// The most things of one sheet.
    package static var bound: Int { 256 }
    /// The most that wait to be told of. What happens beyond them is told without its thing.
    package static var mostWaiting: Int { 16 * Self.bound }

    package private(set) var counts: [Thing: Int] = [:]
    /// What happened since the last sheet without its thing, less what happened before it and has its thing here: with
    /// the counts it makes what happened since then.
    package private(set) var others = 0

    package init() {}

    package var isEmpty: Bool { self.counts.isEmpty && self.others == 0 }

    /// What happened since the last sheet.
    package var total: Int { self.counts.values.reduce(self.others, +) }

    package mutating func add(_ thing: Thing, _ amount: Int = 1) {
        guard self.counts[thing] != nil || self.counts.count < Self.mostWaiting else {
            self.others += amount
            return
        }
        self.counts[thing, default: 0] += amount
    }

    /// Takes what one sheet holds: the things with the highest counts, and the total of all.
    package mutating func takeSheet() -> Self {
        var sheet = self
        self = Self()
        guard sheet.counts.count > Self.bound else { return sheet }
        let left = sheet.counts.sorted { abs($0.value) > abs($1.value) }.dropFirst(Self.bound)
        for (thing, count) in left {
            sheet.counts[thing] = nil
            sheet.others += count
            self.counts[thing] = count
            // Its part of the total is told now.
            self.others -= count
        }
        return sheet
    }
}
