/// Emphasis for text on a terminal, in colours that are legible on light and dark grounds.
package enum Decoration: String, Sendable {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
}

extension Terminal {
    /// `text` with `decoration` around it, or as it is where decoration is not wanted.
    package func decorated(_ text: String, _ decoration: Decoration) -> String {
        self.wantsDecoration ? "\u{1B}[\(decoration.rawValue)m\(text)\u{1B}[0m" : text
    }
}
