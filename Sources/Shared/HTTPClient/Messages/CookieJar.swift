import Synchronization

/// The cookies of one browsing person, in memory only.
///
/// Each line is a cookie in the format of libcurl's cookie list, which carries domain, path, expiry and flags. Requests
/// of one jar are meant to follow one another, as a person's clicks do; of two at once the later answer's cookies stay.
package final class CookieJar: Sendable {
    /// More cookies than any page of ours sets; what is beyond is forgotten.
    private static let limit = 256

    private let content = Mutex<[String]>([])

    package init() {}

    var lines: [String] { self.content.withLock { $0 } }

    func replace(with lines: [String]) { self.content.withLock { $0 = Array(lines.prefix(Self.limit)) } }
}
