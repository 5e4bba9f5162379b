/// One word a command takes that is not an option, in its place.
package struct CommandOperand: Sendable {
    /// How many words stand in this place.
    package enum Count: Sendable {
        case one
        case optional
        /// One or more; only in the last place.
        case oneOrMore
        /// Any number, also none; only in the last place.
        case any
    }

    /// The placeholder in help texts, such as `RESOURCE`.
    package let name: String
    /// One sentence without its full stop.
    package let summary: String
    package let count: Count

    package init(_ name: String, _ summary: String, count: Count = .one) {
        self.name = name
        self.summary = summary
        self.count = count
    }
}
