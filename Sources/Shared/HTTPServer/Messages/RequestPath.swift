/// The path of a request, still percent-encoded, as routes are searched by it.
public struct RequestPath: Sendable {
    /// Starts with `/`.
    public let bytes: ArraySlice<UInt8>
    /// The suffix that a ``PathNormaliser`` cut off, without its dot, such as `json`.
    public let suffix: String?

    package init(_ bytes: ArraySlice<UInt8>, suffix: String? = nil) {
        self.bytes = bytes
        self.suffix = suffix
    }

    private static let slash = UInt8(ascii: "/")

    /// The path of a request target without its query: `http://host/path` is `/path` (RFC 9112 3.2.2). The host is not
    /// looked at, one listener serves one host.
    init(target: ArraySlice<UInt8>) {
        let path = Self.withoutAuthority(target)
        self.init(path.first == Self.slash ? path : [Self.slash] + path)
    }

    private static func withoutAuthority(_ target: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let first = target.first, first != self.slash else { return target }
        for scheme in ["http://", "https://"] {
            let prefix = target.prefix(scheme.utf8.count)
            guard prefix.elementsEqual(scheme.utf8, by: { $0 | 0x20 == $1 | 0x20 }) else { continue }
            let rest = target[prefix.endIndex...]
            return rest.firstIndex(of: self.slash).map { rest[$0...] } ?? [self.slash]
        }
        return target
    }

    /// The segment with this number, from 0, still percent-encoded; `nil` if the path is shorter.
    func segment(_ number: Int) -> ArraySlice<UInt8>? {
        let path = self.bytes.span
        var (start, end) = (0, 0)
        for _ in 0...number {
            start = end < path.count && path[end] == Self.slash ? end + 1 : end
            guard start < path.count else { return nil }
            end = path.firstIndex(of: Self.slash, from: start)
        }
        return self.bytes[(self.bytes.startIndex + start)..<(self.bytes.startIndex + end)]
    }
}

/// Reads a path the way a face wants it before a route is searched: the server itself takes it as it is.
package struct PathNormaliser: Sendable {
    private let normalise: @Sendable (ArraySlice<UInt8>) -> RequestPath

    /// - Parameter normalise: takes a path that starts with `/`, percent-encoded, without query; runs with every
    ///   request, so it should make nothing if there is nothing to change.
    package init(_ normalise: @escaping @Sendable (ArraySlice<UInt8>) -> RequestPath) { self.normalise = normalise }

    package static let identity = PathNormaliser { RequestPath($0) }

    func path(ofTarget target: ArraySlice<UInt8>) -> RequestPath {
        self.normalise(RequestPath(target: target).bytes)
    }
}
