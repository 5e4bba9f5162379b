import FoundationEssentials
import HTTPServer

/// Who tries, as `generic_data` names them (rest-v1 20.3).
enum TrialPerson {
    /// The longest text read, and the longest identity, in bytes.
    private static let maximumText = 4096
    private static let maximumIdentity = 512

    /// The value of the configured key.
    /// - Parameter text: a JSON object, possibly still percent-encoded, or in parentheses as documentation prints it.
    /// - Returns: `nil` when the text is no such object, or the value is missing, empty or too long.
    static func identity(in text: String, key: String) -> String? {
        guard text.utf8.count <= self.maximumText else { return nil }
        let decoded = text.hasPrefix("%") ? PercentCoding.decoded(Array(text.utf8)[...]) : text
        var object = decoded.trimmingPrefix { $0.isWhitespace }[...]
        while let last = object.last, last.isWhitespace { object.removeLast() }
        if object.first == "(", object.last == ")" { object = "{\(object.dropFirst().dropLast())}" }
        guard let members = try? JSONDecoder().decode([String: String].self, from: Data(object.utf8)),
            let identity = members[key], (1...self.maximumIdentity).contains(identity.utf8.count)
        else { return nil }
        return identity
    }
}
