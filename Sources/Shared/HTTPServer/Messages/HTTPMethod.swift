/// The method of a request, compared as sent: methods are case-sensitive (RFC 9110 9.1).
public enum HTTPMethod: Hashable, Sendable {
    case get
    case head
    case post
    case put
    case delete
    case options
    /// Any other method, as the client spelt it. Never goes into a counter or a log.
    case other(String)

    package init(_ text: String) {
        self = [.get, .head, .post, .put, .delete, .options].first { $0.label == text } ?? .other(text)
    }

    package var text: String {
        switch self {
        case .other(let text): text
        default: self.label
        }
    }

    /// The method as one of seven words, for logs and counters.
    package var label: String { Self.labels[self.labelIndex] }

    package static let labels = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "OTHER"]

    var labelIndex: Int {
        switch self {
        case .get: 0
        case .head: 1
        case .post: 2
        case .put: 3
        case .delete: 4
        case .options: 5
        case .other: 6
        }
    }
}
