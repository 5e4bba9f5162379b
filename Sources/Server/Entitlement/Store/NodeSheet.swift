package import Clientless

/// What one node tells all others at once (``SheetStore``).
package struct NodeSheet: Hashable, Sendable {
    /// How many of each node are kept: a node that hears nothing for as many seconds misses some.
    package static let kept: Int64 = 16

    package let node: String
    /// From 0, one more than that of the node's last sheet.
    package let number: Int64
    /// When it is of no use to any node.
    package let ends: Timestamp
    /// Sealed; a store does not look into it.
    package let content: [UInt8]

    package init(node: String, number: Int64, ends: Timestamp, content: [UInt8]) {
        self.node = node
        self.number = number
        self.ends = ends
        self.content = content
    }
}
