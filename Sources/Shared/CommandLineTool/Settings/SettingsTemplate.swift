/// Writes settings as the commented JSON5 file an operator edits: what is set stands as it is, defaults behind `//`.
package struct SettingsTemplate {
    private static let width = 120

    private var lines: [String] = []

    /// - Parameter heading: lines for the top of the file, without comment marks.
    package static func text(of settings: [DescribedSetting], heading: [String]) -> String {
        var template = SettingsTemplate()
        template.lines = heading.map { $0.isEmpty ? "//" : "// \($0)" }
        template.lines.append("{")
        template.write(settings, depth: 1, isExplained: true)
        template.lines.append("}")
        return template.lines.joined(separator: "\n") + "\n"
    }

    private mutating func write(_ settings: [DescribedSetting], depth: Int, isExplained: Bool) {
        let shown = isExplained ? settings : settings.filter(Self.isSet)
        for (position, setting) in shown.enumerated() {
            if position > 0, depth == 1 { self.lines.append("") }
            if isExplained { self.comment("// ", setting.explanation, depth) }
            let key = JSON5Value.key(setting.key)
            switch setting.content {
            case .set(let value): self.line("\(key): \(value.source),", depth)
            case .unset(let value): self.line("// \(key): \(value.source),", depth)
            case .group(let settings):
                self.line("\(key): {", depth)
                self.write(settings, depth: depth + 1, isExplained: isExplained)
                self.line("},", depth)
            case .list(let groups, let entry):
                self.write(groups, entry: entry, as: key, depth: depth, isExplained: isExplained)
            }
        }
    }

    /// The first group of a list is explained, since the others would only say it again; an empty list says what its
    /// groups would be made of.
    private mutating func write(
        _ groups: [[DescribedSetting]], entry: [DescribedSetting], as key: String, depth: Int, isExplained: Bool
    ) {
        self.line("\(key): [", depth)
        if groups.isEmpty {
            self.line("// Each is a group in { } of these settings:", depth + 1)
            self.outline(entry, depth: depth + 1, indentation: "")
        }
        for (position, group) in groups.enumerated() {
            self.line("{", depth + 1)
            self.write(group, depth: depth + 2, isExplained: isExplained && position == 0)
            self.line("},", depth + 1)
        }
        self.line("],", depth)
    }

    private mutating func outline(_ settings: [DescribedSetting], depth: Int, indentation: String) {
        for setting in settings {
            switch setting.content {
            case .set(let value), .unset(let value):
                self.line("//   \(indentation)\(setting.key): \(value.source)", depth)
                self.comment("//   \(indentation)    ", setting.explanation, depth)
            case .group(let settings), .list(_, let settings):
                self.line("//   \(indentation)\(setting.key):", depth)
                self.comment("//   \(indentation)    ", setting.explanation, depth)
                self.outline(settings, depth: depth, indentation: indentation + "  ")
            }
        }
    }

    private static func isSet(_ setting: DescribedSetting) -> Bool {
        switch setting.content {
        case .set: true
        case .unset: false
        case .group(let settings): settings.contains(where: Self.isSet)
        case .list(let groups, _): !groups.isEmpty
        }
    }

    private mutating func comment(_ mark: String, _ explanation: String, _ depth: Int) {
        for line in wrapped("\(explanation).", width: Self.width - 4 * depth - mark.count) {
            self.line(mark + line, depth)
        }
    }

    private mutating func line(_ text: String, _ depth: Int) {
        self.lines.append(String(repeating: " ", count: 4 * depth) + text)
    }
}

/// One setting as a commented file shows it.
package struct DescribedSetting {
    package enum Content {
        case set(JSON5Value)
        /// Left out; the value is the default, or an example if there is none.
        case unset(JSON5Value)
        case group([DescribedSetting])
        /// The groups there are, and what a further one would be asked for.
        case list([[DescribedSetting]], entry: [DescribedSetting])
    }

    package let key: String
    /// One sentence for people, without a full stop.
    package let explanation: String
    package let content: Content
}

extension DescribedSetting {
    /// A line of a manual page for each of some settings and what is in them.
    package static func items(
        of settings: [DescribedSetting], in place: String = ""
    ) -> [(label: String, text: String)] {
        settings.flatMap { setting -> [(label: String, text: String)] in
            let name = place + setting.key
            let told = (label: name, text: "\(setting.explanation).")
            return switch setting.content {
            case .set(let value), .unset(let value): [(name, "\(told.text) Default or example: \(value.source)")]
            case .group(let inner): [told] + Self.items(of: inner, in: "\(name).")
            case .list(_, let entry): [told] + Self.items(of: entry, in: "\(name)[].")
            }
        }
    }
}
