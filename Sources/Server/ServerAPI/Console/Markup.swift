/// Markup of the console: what stands in a literal is ours, and every text that is put into one is escaped, so that it
/// may stand in an element as well as in a quoted attribute.
struct Markup: ExpressibleByStringInterpolation, Sendable {
    let text: String

    init(stringLiteral text: String) {
        self.text = text
    }

    init(stringInterpolation: StringInterpolation) {
        self.text = stringInterpolation.text
    }

    /// One after the other, each on a line.
    init(_ parts: some Sequence<Markup>) {
        self.text = parts.map(\.text).joined(separator: "\n")
    }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text: String

        init(literalCapacity: Int, interpolationCount: Int) {
            self.text = ""
            self.text.reserveCapacity(literalCapacity + interpolationCount * 16)
        }

        mutating func appendLiteral(_ literal: String) { self.text += literal }
        mutating func appendInterpolation(_ text: String) { HTML.escape(text, into: &self.text) }
        mutating func appendInterpolation(_ number: Int) { self.text += String(number) }
        mutating func appendInterpolation(_ markup: Markup) { self.text += markup.text }

        /// A text of a stranger, apart from the writing direction of what is around it.
        mutating func appendInterpolation(_ foreign: ForeignText) {
            self.text += "<bdi>"
            HTML.escape(foreign.text, into: &self.text)
            self.text += "</bdi>"
        }
    }
}
