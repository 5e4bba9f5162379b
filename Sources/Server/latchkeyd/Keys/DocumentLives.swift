package import Clientless
package import Entitlement
import FoundationEssentials
import Observability
import POSIX

/// The longest life of token documents: the one that is configured, and longer ones that were while documents were
/// signed which still count.
///
/// A retired key is accepted until all it signed is over. Were that read from today's configuration alone, shortening a
/// lifetime would end sign-ins that were given a longer one.
package struct DocumentLives: Hashable, Sendable, Codable {
    private struct Former: Hashable, Codable {
        let life: Int64
        let until: Int64

        var end: Int64 {
            let (end, isBeyond) = self.until.addingReportingOverflow(self.life)
            return isBeyond ? .max : end
        }
    }

    /// By how much the clocks of servers may differ.
    private static let margin: Int64 = 300_000
    /// How many former lives are kept; of more the shortest go.
    private static let bound = 16

    /// In milliseconds.
    private var current: Int64
    private var former: [Former] = []

    package init(_ life: Duration) { self.current = life.wholeMilliseconds }

    /// Takes `life` as configured from `now` on.
    package mutating func take(_ life: Duration, at now: Timestamp) {
        let next = life.wholeMilliseconds
        if self.current > next { self.former.append(Former(life: self.current, until: now.milliseconds)) }
        self.current = next
        // One that is no longer, or whose documents are over, has no say any more.
        self.former.removeAll { $0.life <= next || $0.end < now.milliseconds - Self.margin }
        self.former = Array(self.former.sorted { $0.life > $1.life }.prefix(Self.bound))
    }

    /// The longest life of a document that may still count at `now`.
    package func longest(at now: Timestamp) -> Duration {
        let former = self.former.filter { now.milliseconds - Self.margin <= $0.end }.map(\.life).max()
        return .milliseconds(max(self.current, former ?? 0))
    }

    /// The longest that a token document of any pair is good for, as configured.
    package static func longest(of catalogue: Catalogue) -> Duration {
        let signIns = catalogue.requestors.flatMap(\.integrations)
            .map { max($0.authenticationLifetime, $0.mediaTokenLifetime) }
        let trials = catalogue.mvpds.compactMap { $0.trial?.lifetime }
        return (signIns + trials).max() ?? .zero
    }
}

/// The file beside the store that remembers the lives of token documents from one configuration to the next.
struct DocumentLivesFile {
    private static let maximumSize = 4096

    let path: String

    init(beside store: String) { self.path = store + "-lives" }

    /// The remembered lives, with `life` as configured from now on. A memory that cannot be read counts as `nil`; one
    /// that cannot be kept is said.
    func taking(_ life: Duration, at now: Timestamp, _ logger: Logger) -> DocumentLives {
        let lives = self.with(life, at: now)
        guard lives != self.read() else { return lives }
        do {
            try PrivateFiles.replace(self.path, try JSONLine.text(of: lives) + "\n")
        } catch {
            logger.warning(
                "the lifetimes of tokens cannot be remembered; do not shorten them and rotate a key",
                [.detail: .text(error.sentence)])
        }
        return lives
    }

    /// The same, without keeping them.
    func with(_ life: Duration, at now: Timestamp) -> DocumentLives {
        var lives = self.read() ?? DocumentLives(life)
        lives.take(life, at: now)
        return lives
    }

    /// The bytes of the file, if it can be read. Its folder is the server's user's, who could make root wait at a pipe, or
    /// copy a file behind a link.
    var content: Data? { (try? WholeFile.readForeign(self.path, limit: Self.maximumSize)).map { Data($0) } }

    private func read() -> DocumentLives? {
        self.content.flatMap { try? JSONDecoder().decode(DocumentLives.self, from: $0) }
    }
}
