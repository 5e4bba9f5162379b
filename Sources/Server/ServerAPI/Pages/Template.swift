/// A parsed template: pieces to be written one after the other.
struct Template: Sendable {
    indirect enum Node: Sendable {
        case literal(String)
        case value(name: String, Placement, line: Int)
        case sentence(key: String, Placement, line: Int)
        case branch(name: String, then: [Node], otherwise: [Node], line: Int)
        case loop(name: String, body: [Node], line: Int)
        /// The place at which the layout takes in a part of the page.
        case slot(name: String, line: Int)
    }

    let file: String
    let nodes: [Node]
}

extension Template {
    /// The keys of all sentences in `nodes`, with the line of each.
    static func sentences(in nodes: [Node]) -> [(key: String, line: Int)] {
        nodes.flatMap { node -> [(key: String, line: Int)] in
            switch node {
            case .sentence(let key, _, let line): [(key, line)]
            case .branch(_, let then, let otherwise, _): self.sentences(in: then) + self.sentences(in: otherwise)
            case .loop(_, let body, _): self.sentences(in: body)
            case .literal, .value, .slot: []
            }
        }
    }
}

/// A mistake in a template or a file of sentences, found when the server starts; or a page that does not give its
/// template what it shows, found when it is rendered.
package struct TemplateFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file's name, such as `confirm.html`.
    package let file: String
    /// Counted from 1; 0 when the whole file is meant.
    package let line: Int
    package let message: String

    package init(file: String, line: Int, message: String) {
        self.file = file
        self.line = line
        self.message = message
    }

    package var description: String {
        self.line > 0 ? "\(self.file):\(self.line): \(self.message)" : "\(self.file): \(self.message)"
    }
}
