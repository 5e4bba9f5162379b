/// When a document of a provider is fetched again. Times are those of a clock that never jumps.
package struct RefreshSchedule: Hashable, Sendable {
    /// The bounds of what a provider may say of the life of its document.
    package struct Bounds: Hashable, Sendable {
        package var least: Duration = .seconds(300)
        package var most: Duration = .seconds(86_400)
        /// For a provider that says nothing.
        package var usual: Duration = .seconds(3_600)
        /// How long a document serves on while the provider does not give a new one.
        package var grace: Duration = .seconds(86_400)
        /// How long a failed try keeps others from trying.
        package var retry: Duration = .seconds(10)
        /// How long an unknown key keeps others from asking for one: tokens of guessers name what they like.
        package var demand: Duration = .seconds(60)

        package init() {}
    }

    package enum Need: Hashable, Sendable {
        /// The document is fresh.
        case nothing
        /// The document is old, and serves on until there is a new one.
        case renewal
        /// There is no document.
        case document
        /// There is no document, and the last try to get one was a moment ago.
        case patience
    }

    private let bounds: Bounds
    private var freshUntil: Duration?
    private var usableUntil: Duration?
    private var failedAt: Duration?
    private var demandedAt: Duration?

    package init(_ bounds: Bounds = Bounds()) {
        self.bounds = bounds
    }

    package func need(at now: Duration) -> Need {
        let hasFailed = self.failedAt.map { now < $0 + self.bounds.retry } ?? false
        guard let freshUntil = self.freshUntil, let usableUntil = self.usableUntil, now < usableUntil
        else { return hasFailed ? .patience : .document }
        if now < freshUntil { return .nothing }
        return hasFailed ? .nothing : .renewal
    }

    package mutating func succeeded(at now: Duration, life: Duration?) {
        let life = min(max(life ?? self.bounds.usual, self.bounds.least), self.bounds.most)
        self.freshUntil = now + life
        self.usableUntil = now + life + self.bounds.grace
        self.failedAt = nil
    }

    package mutating func failed(at now: Duration) {
        self.failedAt = now
    }

    /// Whether a document may be fetched before its time, because it lacks what a token names.
    package mutating func mayDemand(at now: Duration) -> Bool {
        if let last = self.demandedAt, now < last + self.bounds.demand { return false }
        if let last = self.failedAt, now < last + self.bounds.retry { return false }
        self.demandedAt = now
        return true
    }
}

/// The life that a `Cache-Control` header gives (RFC 9111 5.2.2).
enum CacheLife {
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
