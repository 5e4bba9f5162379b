import Phrases

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

// A page is the same for every viewer of one language but for a few values, so the rest is written once.
extension Template {
    /// The same template with literals in place of what depends on `values` and the sentences alone.
    /// - Parameter values: what every page shows under these names.
    func writtenOut(_ values: TemplateValues, _ phrasebook: Phrasebook) throws(TemplateFault) -> Template {
        Template(file: self.file, nodes: try self.writtenOut(self.nodes, values, phrasebook))
    }

    private func writtenOut(
        _ nodes: [Node], _ values: TemplateValues, _ phrasebook: Phrasebook
    ) throws(TemplateFault) -> [Node] {
        var (written, run): ([Node], [Node]) = ([], [])
        func writeRun() throws(TemplateFault) {
            guard !run.isEmpty else { return }
            let template = Template(file: self.file, nodes: run)
            let text = try TemplateRenderer.render(template, parts: [:], values: [values], phrasebook: phrasebook)
            written.append(.literal(String(decoding: text, as: UTF8.self)))
            run = []
        }
        for node in nodes {
            if Self.isFixed(node, values, phrasebook) {
                run.append(node)
                continue
            }
            try writeRun()
            switch node {
            case .branch(let name, let then, let otherwise, let line):
                written.append(
                    .branch(
                        name: name, then: try self.writtenOut(then, values, phrasebook),
                        otherwise: try self.writtenOut(otherwise, values, phrasebook), line: line))
            case .loop(let name, let body, let line):
                // Its items may give other values under the same names.
                written.append(.loop(name: name, body: try self.writtenOut(body, [:], phrasebook), line: line))
            case .literal, .value, .sentence, .slot: written.append(node)
            }
        }
        try writeRun()
        return written
    }

    private static func isFixed(_ node: Node, _ values: TemplateValues, _ phrasebook: Phrasebook) -> Bool {
        switch node {
        case .literal: return true
        case .value(let name, _, _): return values[name] != nil
        case .sentence(let key, _, _):
            guard let sentence = phrasebook[key] else { return false }
            return !sentence.isCounted && sentence.placeholders.isEmpty
        case .branch(let name, let then, let otherwise, _):
            guard let value = values[name] else { return false }
            return (value.isPresent ? then : otherwise).allSatisfy { self.isFixed($0, values, phrasebook) }
        case .loop(let name, let body, _):
            guard case .list(let items)? = values[name] else { return false }
            return items.allSatisfy { item in
                let values = item.filled(by: values)
                return body.allSatisfy { self.isFixed($0, values, phrasebook) }
            }
        case .slot: return false
        }
    }
}
