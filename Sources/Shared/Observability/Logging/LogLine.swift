/// One log line before it is written.
struct LogLine {
    let time: LogTime
    let level: LogLevel
    let component: String
    let message: String
    let facts: [MetadataKey: LogValue]

    /// The line in `format`, with its line break. Whatever a fact holds, it stays one line.
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
            case .text(let text): " \(key.rawValue)=\(Self.isBare(text) ? text : Self.quoted(text))"
            }
        }.joined()
    }

    private var jsonText: String {
        var line = "{\"time\":\"\(self.time.text)\",\"level\":\"\(self.level.rawValue)\""
        line += ",\"component\":\(Self.quoted(self.component)),\"message\":\(Self.quoted(self.message))"
        for (key, value) in self.sortedFacts {
            switch value {
            case .number(let number): line += ",\"\(key.rawValue)\":\(number)"
            case .text(let text): line += ",\"\(key.rawValue)\":\(Self.quoted(text))"
            }
        }
        return line + "}\n"
    }

    private static func isBare(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C && $0 != 0x3D }
    }

    /// A JSON string. Control characters, also the C1 ones and the Unicode line separators that some readers obey, are
    /// escaped, so that a fact can neither end the line nor speak to a terminal.
    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where self.isEscaped(scalar):
                let code = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: max(0, 4 - code.utf8.count)) + code
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// Every scalar here is in the basic plane, so four digits name it.
    private static func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
