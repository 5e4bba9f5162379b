import TextCoding

struct LogLine {
    /// In milliseconds since 1970-01-01T00:00:00Z.
    let time: Int64
    let level: LogLevel
    let component: String
    let message: String
    let facts: LogFacts

    /// The line in `format`, with its line break. It stays one line, whatever the facts hold.
    func text(in format: LogFormat) -> String {
        // As bytes: a box's way to its sign-in writes a line at each step, of many small pieces.
        var line: [UInt8] = []
        line.reserveCapacity(512)
        func add(_ part: String) { line += part.utf8 }
        func add(_ parts: String...) { for part in parts { add(part) } }
        let (dim, plain) = format == .terminal ? ("\u{1B}[2m", "\u{1B}[0m") : ("", "")
        switch format {
        case .plain: add(self.timeText, " ", self.level.rawValue, " ", self.component, ": ", self.message)
        case .terminal:
            add(self.timeText, " ", self.colour, self.level.rawValue, plain, " ")
            add(self.component, ": ", self.message, dim)
        case .journald: add("<\(self.level.journalPriority)>", self.component, ": ", self.message)
        case .json:
            add(#"{"time":""#, self.timeText, #"","level":""#, self.level.rawValue, #"","component":"#)
            JSONText.append(self.component, to: &line)
            add(#","message":"#)
            JSONText.append(self.message, to: &line)
        }
        for (key, value) in self.facts.all {
            // ` key=value key="a value"`, or members.
            line.append(format == .json ? UInt8(ascii: ",") : UInt8(ascii: " "))
            if format == .json { JSONText.append(key.rawValue, to: &line) } else { add(key.rawValue) }
            line.append(format == .json ? UInt8(ascii: ":") : UInt8(ascii: "="))
            switch value {
            case .number(let number): add(String(number))
            case .text(let text) where format != .json && Self.isBare(text): add(text)
            case .text(let text): JSONText.append(text, to: &line)
            }
        }
        add(format == .json ? "}" : plain, "\n")
        return String(decoding: line, as: UTF8.self)
    }

    /// `2025-01-31T23:59:59.999Z` (RFC 3339).
    private var timeText: String { CivilDate.text(milliseconds: self.time, form: "0000-00-00T00:00:00.000Z") }

    private var colour: String {
        switch self.level {
        case .debug: "\u{1B}[2m"
        case .info: "\u{1B}[32m"
        case .notice: "\u{1B}[36m"
        case .warning: "\u{1B}[33m"
        case .error: "\u{1B}[31m"
        }
    }

    private static func isBare(_ text: String) -> Bool {
        let bytes = text.utf8.span
        return !bytes.isEmpty
            && bytes.indices.allSatisfy {
                (0x21...0x7E).contains(bytes[$0]) && bytes[$0] != 0x22 && bytes[$0] != 0x5C && bytes[$0] != 0x3D
            }
    }
}

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
