package import Clientless

/// What one node tells all others at once (``SheetStore``).
package struct NodeSheet: Hashable, Sendable {
    /// How many of each node are kept: a node that hears nothing for as many seconds misses some.
    package static let kept: Int64 = 16

    /// How large one is at most, in bytes: limits bound the number of things in it, and their names are bounded. It has
    /// some hundred bytes where boxes poll and viewers pair, and comes near this where strangers fill every place.
    package static let mostBytes = 4 << 20

    package let node: String
    /// From 0, one more than that of the node's last sheet.
    package let number: Int64
    /// When it is of no use to any node, by the clock of the store.
    package let ends: Timestamp
    /// Sealed; a store does not look into it.
    package let content: [UInt8]

    package init(node: String, number: Int64, ends: Timestamp, content: [UInt8]) {
        self.node = node
        self.number = number
        self.ends = ends
        self.content = content
    }

    /// How long ago it was taken, when its end was to be `life` later; zero for one that is ahead of `time`.
    func age(at time: Timestamp, life: Duration) -> Duration {
        max(.zero, .milliseconds(time.milliseconds - self.ends.milliseconds) + life)
    }
}
