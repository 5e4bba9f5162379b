package import Clientless
import Cryptography
import Synchronization

/// A picture that the server keeps and serves itself, for pages to show. Its kind is what its first bytes say. The
/// server looks no further into it: an address that serves it forbids it to run or load anything (``PageHeaders``).
package struct Picture: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case png
        case webP = "webp"
        case svg
    }

    package let kind: Kind
    package let bytes: [UInt8]
    /// Names the bytes in addresses.
    let digest: String

    /// - Parameter limit: the most bytes.
    /// - Throws: ``PictureFault`` if it is too long or of another kind.
    package init(_ bytes: [UInt8], atMost limit: Int) throws(PictureFault) {
        guard bytes.count <= limit else { throw .tooLong(limit: limit) }
        guard let kind = Self.kind(of: bytes) else { throw .unknownKind }
        self.kind = kind
        self.bytes = bytes
        self.digest = Hex.encode(Digest.sha256(bytes).prefix(16))
    }

    private static func kind(of bytes: [UInt8]) -> Kind? {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
        if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) { return .webP }
        let isDrawing = String(validating: bytes, as: UTF8.self)?.contains("<svg") == true
        return isDrawing ? .svg : nil
    }

    package var contentType: String {
        switch self.kind {
        case .png: "image/png"
        case .webP: "image/webp"
        case .svg: "image/svg+xml"
        }
    }

    package var ending: String { "." + self.kind.rawValue }
}

/// Why no page can show a picture.
package enum PictureFault: Error, Hashable, Sendable, CustomStringConvertible {
    case tooLong(limit: Int)
    case unknownKind

    package var description: String {
        switch self {
        case .tooLong(let limit): "it has more than \(limit) bytes"
        case .unknownKind: "it is neither PNG, WebP nor SVG"
        }
    }
}

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

    package init(maximumTotal: Int = LogoShelf.maximumTotal) { self.maximumTotal = maximumTotal }

    var version: Int { self.state.withLock { $0.version } }

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
    static let folder = "/logos"

    /// Its address on this server: it changes with the bytes.
    package var path: String { "\(Self.folder)/\(self.digest)\(self.ending)" }
}
