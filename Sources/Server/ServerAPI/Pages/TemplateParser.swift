/// Reads one template (see `web/README.md` for the language).
struct TemplateParser {
    enum Kind {
        /// The frame around every page; its slots are places.
        case layout
        /// A page; its slots hold what goes into the layout's, and begin at the scanner given for each.
        case page(slots: [String: MarkupScanner])
    }

    private let file: String
    private let bytes: [UInt8]
    private let assets: [String: String]
    private let kind: Kind

    private var position = 0
    private var line = 1
    private var scanner = MarkupScanner()
    /// The parser's knowledge of slots: in a layout the place of each, in a page its nodes.
    private var places: [String: MarkupScanner] = [:]
    private var parts: [String: Template] = [:]

    static func layout(
        _ file: String, _ bytes: [UInt8], assets: [String: String]
    ) throws(TemplateFault) -> (template: Template, slots: [String: MarkupScanner]) {
        var parser = TemplateParser(file: file, bytes: bytes, assets: assets, kind: .layout)
        let nodes = try parser.block(endsWith: []).nodes
        guard parser.scanner.isSamePlace(as: MarkupScanner())
        else { throw parser.fault("<\(parser.scanner.open.last ?? "")> is not closed") }
        return (Template(file: file, nodes: nodes), parser.places)
    }

    /// Reads a page, which must fill every slot of the layout.
    static func page(
        _ file: String, _ bytes: [UInt8], assets: [String: String], slots: [String: MarkupScanner]
    ) throws(TemplateFault) -> [String: Template] {
        var parser = TemplateParser(file: file, bytes: bytes, assets: assets, kind: .page(slots: slots))
        for case .literal(let text) in try parser.block(endsWith: []).nodes where !text.allSatisfy(\.isWhitespace) {
            throw TemplateFault(file: file, line: 0, message: "outside its slots a page says nothing")
        }
        for name in slots.keys.sorted() where parser.parts[name] == nil {
            throw TemplateFault(file: file, line: 0, message: "the slot '\(name)' is not filled")
        }
        return parser.parts
    }

    private func fault(_ message: String) -> TemplateFault {
        TemplateFault(file: self.file, line: self.line, message: message)
    }
}

extension TemplateParser {
    /// The word that closed a block.
    private enum Ending: String { case end, `else` }

    private typealias Directive = (word: String, argument: String?)

    /// Reads up to a directive of `endings`, or to the end of the file when `endings` is empty.
    private mutating func block(
        endsWith endings: Set<Ending>
    ) throws(TemplateFault) -> (nodes: [Template.Node], ending: Ending?) {
        let startLine = self.line
        var nodes: [Template.Node] = []
        while true {
            let literal = try self.literal()
            if !literal.isEmpty { nodes.append(.literal(literal)) }
            guard self.position < self.bytes.count else {
                guard endings.isEmpty else {
                    throw TemplateFault(file: self.file, line: startLine, message: "this block has no {{end}}")
                }
                return (nodes, nil)
            }
            let directive = try self.directive()
            if let ending = Ending(rawValue: directive.word), directive.argument == nil {
                guard endings.contains(ending) else { throw self.fault("{{\(directive.word)}} closes nothing here") }
                return (nodes, ending)
            }
            if let node = try self.node(for: directive) { nodes.append(node) }
        }
    }

    /// Reads markup up to the next directive.
    private mutating func literal() throws(TemplateFault) -> String {
        let start = self.position
        while self.position < self.bytes.count, !self.isAt("{{") {
            let byte = self.bytes[self.position]
            do {
                try self.scanner.take(byte)
            } catch {
                throw self.fault(error.message)
            }
            if byte == UInt8(ascii: "\n") { self.line += 1 }
            self.position += 1
        }
        return String(decoding: self.bytes[start..<self.position], as: UTF8.self)
    }

    private func isAt(_ mark: StaticString) -> Bool {
        self.bytes[self.position...].starts(with: Array("\(mark)".utf8))
    }

    private mutating func directive() throws(TemplateFault) -> Directive {
        let start = self.position + 2
        self.position = start
        while self.position < self.bytes.count, !self.isAt("}}") {
            if self.bytes[self.position] == UInt8(ascii: "\n") { throw self.fault("'{{' is not closed on its line") }
            self.position += 1
        }
        guard self.position < self.bytes.count else { throw self.fault("'{{' is not closed on its line") }
        let text = String(decoding: self.bytes[start..<self.position], as: UTF8.self)
        self.position += 2
        if text.hasPrefix("!") { return ("!", nil) }
        let words = text.split(separator: " ").map(String.init)
        let isName: (String) -> Bool = {
            $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ".-".contains($0)) }
        }
        guard (1...2).contains(words.count), words.allSatisfy(isName)
        else { throw self.fault("{{\(text)}} is not a directive") }
        return (words[0], words.count == 2 ? words[1] : nil)
    }

    private mutating func node(for directive: Directive) throws(TemplateFault) -> Template.Node? {
        guard directive.word != "!" else { return nil }
        guard let argument = directive.argument else {
            let placement = try self.placement()
            return .value(name: directive.word, placement, line: self.line)
        }
        switch directive.word {
        case "say":
            let placement = try self.placement()
            guard [.text, .title, .attribute].contains(placement) else { throw self.fault("a sentence is no address") }
            return .sentence(key: argument, placement, line: self.line)
        case "asset":
            guard case .address = try self.placement() else { throw self.fault("an asset is a whole address") }
            guard let address = self.assets[argument] else { throw self.fault("there is no asset '\(argument)'") }
            return .literal(address)
        case "if": return try self.branch(argument)
        case "each": return try self.loop(argument)
        case "slot": return try self.slot(argument)
        default: throw self.fault("{{\(directive.word) \(argument)}} is not a directive")
        }
    }

    private mutating func placement() throws(TemplateFault) -> Placement {
        guard let placement = self.scanner.placement else { throw self.fault("no value can stand here") }
        self.scanner.takeValue()
        return placement
    }

    private mutating func branch(_ name: String) throws(TemplateFault) -> Template.Node {
        guard self.scanner.allowsBlock else { throw self.fault("no block can begin here") }
        let line = self.line
        let before = self.scanner
        let then = try self.block(endsWith: [.end, .else])
        let afterThen = self.scanner
        self.scanner = before
        let otherwise = then.ending == .else ? try self.block(endsWith: [.end]).nodes : []
        guard afterThen.isSamePlace(as: self.scanner) else {
            throw TemplateFault(
                file: self.file, line: line, message: "the branches of this block end in different places")
        }
        self.scanner.merge(afterThen)
        return .branch(name: name, then: then.nodes, otherwise: otherwise, line: line)
    }

    private mutating func loop(_ name: String) throws(TemplateFault) -> Template.Node {
        guard self.scanner.allowsBlock else { throw self.fault("no block can begin here") }
        let line = self.line
        let before = self.scanner
        let body = try self.block(endsWith: [.end]).nodes
        guard before.isSamePlace(as: self.scanner) else {
            throw TemplateFault(file: self.file, line: line, message: "this loop ends elsewhere than it begins")
        }
        return .loop(name: name, body: body, line: line)
    }

    private mutating func slot(_ name: String) throws(TemplateFault) -> Template.Node? {
        switch self.kind {
        case .layout:
            guard [.text, .title].contains(self.scanner.placement) else { throw self.fault("no slot can stand here") }
            self.places[name] = self.scanner
            return .slot(name: name, line: self.line)
        case .page(let slots):
            guard let place = slots[name] else { throw self.fault("the layout has no slot '\(name)'") }
            guard self.parts[name] == nil else { throw self.fault("the slot '\(name)' is filled twice") }
            let line = self.line
            let outside = self.scanner
            self.scanner = place
            let nodes = try self.block(endsWith: [.end]).nodes
            guard self.scanner.isSamePlace(as: place) else {
                throw TemplateFault(file: self.file, line: line, message: "this slot leaves an element open")
            }
            self.scanner = outside
            self.parts[name] = Template(file: self.file, nodes: nodes)
            return nil
        }
    }
}
