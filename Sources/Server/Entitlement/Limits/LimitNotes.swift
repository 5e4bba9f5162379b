package import Clientless
import Synchronization

/// What one limit of this node counted since it last told the others.
package protocol LimitNotes: Codable, Sendable {
    init()

    var isEmpty: Bool { get }
}

/// A limit whose counts the nodes tell one another (``LimitExchange``).
package protocol SharedLimit: Sendable {
    associatedtype Notes: LimitNotes

    /// Takes what was counted since the last time.
    func takeNotes(at uptime: Duration) -> Notes

    /// Counts what another node counted, as if it had happened here just now.
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
        self.notes.withLock { notes in
            defer { notes = Notes() }
            return notes
        }
    }
}

/// How often each of a bounded number of things happened, as a value.
package struct NotedCounts<Thing: Hashable & Codable & Sendable>: Hashable, Codable, Sendable {
    /// The most things of one sheet: it stays within some tens of kilobytes.
    package static var bound: Int { 256 }

    package private(set) var counts: [Thing: Int] = [:]
    /// What happened beyond those.
    package private(set) var others = 0

    package init() {}

    package var isEmpty: Bool { self.counts.isEmpty && self.others == 0 }

    package mutating func add(_ thing: Thing, _ amount: Int = 1) {
        guard self.counts[thing] != nil || self.counts.count < Self.bound else {
            self.others += amount
            return
        }
        self.counts[thing, default: 0] += amount
    }
}
