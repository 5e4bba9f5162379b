/// What is wrong with a file of places.
package struct PlaceFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// From 1.
    package let line: Int
    package let reason: Reason

    /// The rest of a sentence that begins with the line.
    package struct Reason: Error, Hashable, Sendable, ExpressibleByStringInterpolation {
        package let text: String

        package init(stringLiteral text: String) { self.text = text }
    }

    /// `line 17: begins before the line before it ends`.
    package var description: String { "line \(self.line): \(self.reason.text)" }
}
