/// Another server takes writes than before, or the same one in a new timeline.
package struct PrimaryChange: Hashable, Sendable {
    /// Why connections to the one before are not used any more.
    package enum Reason: String, Hashable, Sendable {
        case ended = "its connections ended"
        case silent = "it did not answer"
        case readOnly = "it takes no writes any more"
        case superseded = "the other one was promoted in its place"
    }

    package struct Side: Hashable, Sendable {
        /// The server as the connection string names it.
        package let name: String
        package let timeline: UInt32
    }

    package let from: Side
    package let to: Side
    package let reason: Reason
}
