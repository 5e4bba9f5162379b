package import Clientless
import Synchronization

/// The owner of a logo: a provider's, or a provider's as the pages and lists of one requestor show it.
package struct LogoPlace: Hashable, Sendable {
    package let mvpd: MVPDID
    package let requestor: RequestorID?

    package init(_ mvpd: MVPDID, for requestor: RequestorID? = nil) {
        self.mvpd = mvpd
        self.requestor = requestor
    }
}

/// The logos of providers that the server keeps. They come while it runs, so that no provider's server is waited for;
/// until then a page shows letters.
package final class LogoShelf: Sendable {
    /// The most bytes of one.
    package static let maximumSize = 64 * 1024
    /// The most bytes of all together, each with its compressed copy where it has one.
    package static let maximumTotal = 64 * 1024 * 1024

    private struct State {
        var shown: [LogoPlace: Picture] = [:]
        /// The logo that a place showed before: lists of providers that were handed out still name it.
        var former: [LogoPlace: Picture] = [:]
        var byPath: [String: FileAnswer] = [:]
        var total = 0
        var version = 0
    }

    private let maximumTotal: Int
    private let state = Mutex(State())

    package init(maximumTotal: Int = LogoShelf.maximumTotal) {
        self.maximumTotal = maximumTotal
    }

    /// Counts the changes.
    var version: Int { self.state.withLock { $0.version } }

    /// Shows `picture` at `place`.
    /// - Returns: `false` when there is no room for it.
    package func put(_ picture: Picture, at place: LogoPlace) -> Bool {
        // Compressing is for new pictures alone, and outside of the lock.
        guard self.state.withLock({ $0.shown[place] }) != picture else { return true }
        let file = FileAnswer(picture.bytes, headers: PageHeaders.fields(of: picture))
        return self.state.withLock { state in
            let old = state.shown[place]
            guard old != picture else { return true }
            if state.byPath[picture.path] == nil {
                guard state.total + file.size <= self.maximumTotal else { return false }
                state.byPath[picture.path] = file
                state.total += file.size
            }
            if let old { state.former[place] = old }
            state.shown[place] = picture
            state.version += 1
            return true
        }
    }

    /// Forgets the logos of all places but these.
    package func keep(_ places: Set<LogoPlace>) {
        self.state.withLock { state in
            state.shown = state.shown.filter { places.contains($0.key) }
            state.former = state.former.filter { places.contains($0.key) }
            let paths = Set([state.shown, state.former].flatMap(\.values).map(\.path))
            state.byPath = state.byPath.filter { paths.contains($0.key) }
            state.total = state.byPath.values.reduce(0) { $0 + $1.size }
            state.version += 1
        }
    }

    /// The logo of a provider for a viewer of `requestor`; `nil` is a page of no brand.
    package func picture(of mvpd: MVPDID, for requestor: RequestorID?) -> Picture? {
        self.state.withLock { state in
            requestor.flatMap { state.shown[LogoPlace(mvpd, for: $0)] } ?? state.shown[LogoPlace(mvpd)]
        }
    }

    func file(at path: String) -> FileAnswer? { self.state.withLock { $0.byPath[path] } }
}

extension Picture {
    /// The beginning of the addresses of logos.
    static let folder = "/logos"

    /// Its address on this server: it changes with the bytes.
    package var path: String { "\(Self.folder)/\(self.digest)\(self.ending)" }
}
