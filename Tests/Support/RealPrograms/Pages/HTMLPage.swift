/// What a person finds on a page: words, alerts and forms, read from the HTML as it was served.
package struct HTMLPage: Sendable {
    package private(set) var title = ""
    /// The texts of `h1` and `h2`, in order.
    package private(set) var headings: [String] = []
    /// The texts of elements with the role `alert` that are not hidden.
    package private(set) var alerts: [String] = []
    /// All text between `<body>` and `</body>`, white space collapsed.
    package private(set) var text = ""
    package private(set) var forms: [HTMLForm] = []
    /// The addresses of style sheets, scripts, icons and images, as the page says them.
    package private(set) var assets: [String] = []

    /// An element whose text is wanted, while it is open.
    private struct Collector {
        enum Purpose {
            case title, heading, alert
            case button(HTMLForm.Control)
            case label(target: String?)
        }

        let purpose: Purpose
        /// How many elements were open around it.
        let depth: Int
        var text = ""
    }

    private var open: [String] = []
    private var collectors: [Collector] = []
    private var labels: [String: String] = [:]
    private var isInForm = false

    /// Elements that have no end tag (HTML 13.1.2).
    private static let void: Set<String> = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
    ]

    package init(_ html: String) {
        for token in HTMLTokens(html) {
            switch token {
            case .start(let name, let attributes): self.begin(name, attributes)
            case .end(let name): self.end(name)
            case .text(let text): self.add(text)
            }
        }
        while let name = self.open.last { self.end(name) }
        self.text = collapsed(self.text)
        for form in self.forms.indices {
            for control in self.forms[form].controls.indices {
                if let id = self.forms[form].controls[control].id, let label = self.labels[id] {
                    self.forms[form].controls[control].label = label
                }
            }
        }
    }

    private mutating func begin(_ name: String, _ attributes: [String: String]) {
        // A hidden one is shown by a script, when there is something to say.
        if attributes["role"] == "alert", attributes["hidden"] == nil { self.collect(.alert) }
        switch name {
        case "title" where self.open.contains("head"): self.collect(.title)
        case "h1", "h2": self.collect(.heading)
        case "label": self.collect(.label(target: attributes["for"]))
        case "button": self.collect(.button(control(attributes, type: attributes["type"] ?? "submit")))
        case "form":
            self.forms.append(HTMLForm(attributes))
            self.isInForm = true
        case "input": self.keep(control(attributes, type: attributes["type"]?.lowercased() ?? "text"))
        case "script", "img": if let address = attributes["src"] { self.assets.append(address) }
        case "link": if let address = attributes["href"] { self.assets.append(address) }
        default: break
        }
        // Text of different elements is different words.
        self.add(" ")
        if !Self.void.contains(name) { self.open.append(name) }
    }

    private mutating func end(_ name: String) {
        guard let depth = self.open.lastIndex(of: name) else { return }
        self.open.removeSubrange(depth...)
        self.add(" ")
        while let collector = self.collectors.last, collector.depth >= depth {
            self.collectors.removeLast()
            self.finish(collector)
        }
        if name == "form" { self.isInForm = false }
    }

    private mutating func collect(_ purpose: Collector.Purpose) {
        self.collectors.append(Collector(purpose: purpose, depth: self.open.count))
    }

    private mutating func add(_ text: String) {
        for index in self.collectors.indices { self.collectors[index].text += text }
        if self.open.contains("body") { self.text += text }
    }

    private mutating func keep(_ control: HTMLForm.Control) {
        if self.isInForm { self.forms[self.forms.count - 1].controls.append(control) }
    }

    private mutating func finish(_ collector: Collector) {
        let text = collapsed(collector.text)
        switch collector.purpose {
        case .title: self.title = text
        case .heading: self.headings.append(text)
        case .alert: self.alerts.append(text)
        case .label(let target): if let target { self.labels[target] = text }
        case .button(var control):
            control.label = text
            self.keep(control)
        }
    }
}

private func control(_ attributes: [String: String], type: String) -> HTMLForm.Control {
    HTMLForm.Control(
        type: type, name: attributes["name"] ?? "", value: attributes["value"] ?? "", label: "", id: attributes["id"])
}

private func collapsed(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
}
