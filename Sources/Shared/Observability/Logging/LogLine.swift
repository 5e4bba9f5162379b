import TextCoding

/// One log line before it is written.
struct LogLine {
    let time: LogTime
    let level: LogLevel
    let component: String
    let message: String
    let facts: [MetadataKey: LogValue]

    /// The line in `format`, with its line break. It stays one line, whatever the facts hold.
    func text(in format: LogFormat) -> String {
        switch format {
        case .plain: "\(self.time.text) \(self.level.rawValue) \(self.component): \(self.message)\(self.pairs)\n"
        case .terminal: self.terminalText
        case .journald: "<\(self.level.journalPriority)>\(self.component): \(self.message)\(self.pairs)\n"
        case .json: self.jsonText
        }
    }

    private var sortedFacts: [(key: MetadataKey, value: LogValue)] {
        self.facts.sorted { $0.key.rawValue < $1.key.rawValue }
    }

    private var terminalText: String {
        let colour =
            switch self.level {
            case .debug: "\u{1B}[2m"
            case .info: "\u{1B}[32m"
            case .notice: "\u{1B}[36m"
            case .warning: "\u{1B}[33m"
            case .error: "\u{1B}[31m"
            }
        let level = "\(colour)\(self.level.rawValue)\u{1B}[0m"
        return "\(self.time.text) \(level) \(self.component): \(self.message)\u{1B}[2m\(self.pairs)\u{1B}[0m\n"
    }

    /// ` key=value key="a value"`.
    private var pairs: String {
        self.sortedFacts.map { key, value in
            switch value {
            case .number(let number): " \(key.rawValue)=\(number)"
            case .text(let text): " \(key.rawValue)=\(Self.isBare(text) ? text : JSONText.string(text))"
            }
        }.joined()
    }

    private var jsonText: String {
        var line = "{\"time\":\"\(self.time.text)\",\"level\":\"\(self.level.rawValue)\""
        line += ",\"component\":\(JSONText.string(self.component)),\"message\":\(JSONText.string(self.message))"
        for (key, value) in self.sortedFacts {
            switch value {
            case .number(let number): line += ",\"\(key.rawValue)\":\(number)"
            case .text(let text): line += ",\"\(key.rawValue)\":\(JSONText.string(text))"
            }
        }
        return line + "}\n"
    }

    private static func isBare(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C && $0 != 0x3D }
    }
}

/// How a log line is written.
package enum LogFormat: String, CaseIterable, Sendable {
    /// For a person at a terminal, in colour.
    case terminal
    /// For a person reading a file or a pipe: like `terminal` without colour.
    case plain
    /// One JSON object a line.
    case json
    /// For journald, which adds the time itself: the priority in front (sd-daemon(3)).
    case journald
}
