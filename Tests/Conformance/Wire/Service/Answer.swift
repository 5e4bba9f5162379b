import HTTPClient
import RealPrograms

extension HTTPClient.Response {
    var json: JSON { get throws { try JSON(parsing: self.text) } }

    /// The text of the first element of this name, whatever its prefix; `nil` where there is none.
    ///
    /// Found as the oldest clients find it: by its tags, as texts.
    func element(_ localName: String) -> String? {
        let pattern = #/<(?:[A-Za-z0-9]+:)?([A-Za-z0-9]+)(?: [^>]*)?>([^<]*)(?=<)/#
        return self.text.matches(of: pattern).first { $0.output.1 == localName }.map { String($0.output.2) }
    }

    var summary: String { "\(self.status) \(self.headers["Content-Type"] ?? "–"): \(self.text)" }
}

extension JSON {
    /// Whether this is a text of digits, which is how expiries of tokens are written (rest-v1 3.9).
    var isTextOfDigits: Bool {
        guard let text = self.text else { return false }
        return !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
