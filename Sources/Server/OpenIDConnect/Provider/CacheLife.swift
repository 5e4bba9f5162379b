/// How long a document of a provider lives here.
package enum CacheLife {
    /// For a provider that says nothing.
    package static let usual: Duration = .seconds(3_600)
    /// The bounds of what a provider may say.
    static let bounds: ClosedRange<Duration> = .seconds(300) ... .seconds(86_400)
    /// How long a document serves on while the provider does not give a new one.
    static let grace: Duration = .seconds(86_400)
    /// How long a failed try keeps others from trying.
    static let retry: Duration = .seconds(10)
    /// How long an unknown key keeps others from asking for one: tokens of guessers name what they like.
    static let demand: Duration = .seconds(60)

    /// The life that a `Cache-Control` header gives (RFC 9111 5.2.2).
    /// - Returns: zero for a document that must not be kept; `nil` if the header says nothing of it.
    static func read(_ header: String?) -> Duration? {
        guard let header, header.utf8.count <= 1_024 else { return nil }
        for directive in header.lowercased().split(separator: ",") {
            let words = directive.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " && $0 != "\"" } }
            switch words.first {
            case "no-store", "no-cache": return .zero
            case "max-age":
                guard words.count == 2, words[1].utf8.count <= 9, let seconds = Int64(words[1]), seconds >= 0
                else { return nil }
                return .seconds(seconds)
            default: continue
            }
        }
        return nil
    }
}
