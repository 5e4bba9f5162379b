import Phrases

/// Writes a page: its template, its values, and the sentences of one language.
struct TemplateRenderer {
    private let phrasebook: Phrasebook
    /// The values of the layout's slots.
    private let parts: [String: Template]
    private var output: [UInt8] = []
    private var file = ""

    /// - Parameter values: the last that has a name counts.
    /// - Throws: a fault when `values` lack a name that `layout` or a part shows.
    static func render(
        _ layout: Template, parts: [String: Template], values: [TemplateValues], phrasebook: Phrasebook
    ) throws(TemplateFault) -> [UInt8] {
        var renderer = TemplateRenderer(phrasebook: phrasebook, parts: parts)
        renderer.output.reserveCapacity(8192)
        try renderer.write(layout, values)
        return renderer.output
    }

    /// Values by name, the innermost loop's item last, which counts first.
    private typealias Scope = [TemplateValues]

    private mutating func write(_ template: Template, _ scope: Scope) throws(TemplateFault) {
        let outer = self.file
        self.file = template.file
        try self.write(template.nodes, scope)
        self.file = outer
    }

    private mutating func write(_ nodes: [Template.Node], _ scope: Scope) throws(TemplateFault) {
        for node in nodes {
            switch node {
            case .literal(let text):
                self.output += text.utf8
            case .value(let name, let placement, let line):
                try self.write(self.value(name, scope, line), placement, scope, line)
            case .sentence(let key, let placement, let line):
                try self.say(key, placement, scope, line)
            case .branch(let name, let then, let otherwise, let line):
                try self.write(self.value(name, scope, line).isPresent ? then : otherwise, scope)
            case .loop(let name, let body, let line):
                guard case .list(let items) = try self.value(name, scope, line)
                else { throw self.fault(line, "'\(name)' is not a list") }
                for item in items { try self.write(body, scope + [item]) }
            case .slot(let name, let line):
                guard let part = self.parts[name] else { throw self.fault(line, "nothing fills '\(name)'") }
                try self.write(part, scope)
            }
        }
    }

    private mutating func write(
        _ value: TemplateValue, _ placement: Placement, _ scope: Scope, _ line: Int
    ) throws(TemplateFault) {
        switch value {
        case .absent:
            return
        case .text(let text):
            placement.write(text, into: &self.output)
        case .number(let number):
            placement.write(String(number), into: &self.output)
        case .foreign(let foreign):
            self.write(foreign, placement)
        case .html(let html):
            guard placement == .text else { throw self.fault(line, "markup stands between tags only") }
            self.output += html.markup.utf8
        case .phrase(let phrase):
            try self.say(phrase.key, placement, scope + [phrase.values], line)
        case .flag, .list:
            throw self.fault(line, "a flag or a list cannot be shown")
        }
    }

    private mutating func write(_ foreign: ForeignText, _ placement: Placement) {
        // Isolation that changes nothing is left out: some screen readers pause at each element.
        guard self.phrasebook.direction != "ltr" || !foreign.isPlainlyLeftToRight else {
            return placement.write(foreign.text, into: &self.output)
        }
        switch placement {
        case .text:
            self.output += "<bdi>".utf8
            placement.write(foreign.text, into: &self.output)
            self.output += "</bdi>".utf8
        case .title:
            // FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE do what <bdi> does where tags mean nothing.
            placement.write("\u{2068}\(foreign.text)\u{2069}", into: &self.output)
        case .attribute, .address, .addressPart:
            placement.write(foreign.text, into: &self.output)
        }
    }

    private mutating func say(
        _ key: String, _ placement: Placement, _ scope: Scope, _ line: Int
    ) throws(TemplateFault) {
        guard let sentence = self.phrasebook[key] else { throw self.fault(line, "there is no sentence '\(key)'") }
        var count: Int?
        if case .number(let number) = Self.find("count", scope) { count = number }
        for piece in sentence.pieces(for: count) {
            switch piece {
            case .literal(let text): placement.write(text, into: &self.output)
            case .placeholder(let name):
                try self.write(self.value(name, scope, line), placement, scope, line)
            }
        }
    }

    private static func find(_ name: String, _ scope: Scope) -> TemplateValue? {
        for layer in scope.reversed() {
            if let value = layer[name] { return value }
        }
        return nil
    }

    private func value(_ name: String, _ scope: Scope, _ line: Int) throws(TemplateFault) -> TemplateValue {
        guard let value = Self.find(name, scope) else { throw self.fault(line, "the page gives no '\(name)'") }
        return value
    }

    private func fault(_ line: Int, _ message: String) -> TemplateFault {
        TemplateFault(file: self.file, line: line, message: message)
    }
}
