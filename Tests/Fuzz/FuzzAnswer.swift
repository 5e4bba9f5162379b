import RealPrograms

/// What came back, read strictly.
struct FuzzAnswer: Sendable {
    let status: Int
    private let text: String

    /// - Returns: `nil` when this is no HTTP answer.
    init?(_ text: String) {
        guard text.hasPrefix("HTTP/1.1 "), let status = Int(text.dropFirst(9).prefix(3)) else { return nil }
        self.status = status
        self.text = text
    }

    /// What is wrong with the answer to `method`, whatever was asked; `nil` when nothing is.
    func fault(to method: String) -> String? {
        guard self.status < 500 else { return "status \(self.status)" }
        guard let end = self.text.firstRange(of: "\r\n\r\n") else { return "the head does not end" }
        var fields: [String: String] = [:]
        // CR LF is one character of a text.
        for line in self.text[..<end.lowerBound].split(separator: "\r\n").dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { return "a line without a name: \(line)" }
            fields[line[..<colon].lowercased()] = String(line[line.index(colon, offsetBy: 2)...])
        }
        let body = self.text[end.upperBound...]
        if method == "HEAD" || self.status == 204 { return body.isEmpty ? nil : "a body where none may be" }
        guard fields["content-length"].flatMap({ Int($0) }) == body.utf8.count else { return "another length" }
        if let type = fields["content-type"] {
            if type.hasPrefix("application/json"), (try? JSON(parsing: body)) == nil { return "no JSON" }
            if type.hasPrefix("application/xml"), !body.hasPrefix("<?xml version=\"1.0\"") { return "no XML" }
        } else if !body.isEmpty {
            return "a body without a type"
        }
        return nil
    }
}
