/// The path of a request after the normalisation of rest-v1 3.2: repeated slashes are one, one trailing slash is gone,
/// and `.json` or `.xml` is cut off the last segment. Still percent-encoded.
struct RequestPath: Sendable {
    /// Starts with `/`; shares the target's storage when nothing had to be collapsed.
    let bytes: ArraySlice<UInt8>
    let suffix: PathSuffix?

    /// - Parameter target: the request target without its query. May be in absolute form (RFC 9112 3.2.2).
    init(_ target: ArraySlice<UInt8>) {
        var path = Self.withoutAuthority(target)
        if Self.hasRepeatedSlash(path) { path = Self.collapsed(path)[...] }
        if path.count > 1, path.last == Self.slash { path = path.dropLast() }
        if path.first != Self.slash { path = [Self.slash] + path }
        self.suffix = Self.suffix(of: path)
        self.bytes = path.dropLast(self.suffix?.text.utf8.count ?? 0)
    }

    private static let slash = UInt8(ascii: "/")

    /// `http://host/path` is `/path`; the host is not looked at, one listener serves one host.
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

    private static func hasRepeatedSlash(_ path: ArraySlice<UInt8>) -> Bool {
        var previous: UInt8 = 0
        for byte in path {
            if byte == self.slash, previous == self.slash { return true }
            previous = byte
        }
        return false
    }

    private static func collapsed(_ path: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(path.count)
        for byte in path where !(byte == self.slash && result.last == self.slash) { result.append(byte) }
        return result
    }

    /// A segment that is nothing but a suffix (`/.json`) is a name, not a format.
    private static func suffix(of path: ArraySlice<UInt8>) -> PathSuffix? {
        // Most paths have none, which their last letter tells.
        let suffix: PathSuffix
        switch path.last {
        case UInt8(ascii: "n"): suffix = .json
        case UInt8(ascii: "l"): suffix = .xml
        default: return nil
        }
        let text = suffix.text.utf8
        guard path.count > text.count + 1, path.suffix(text.count).elementsEqual(text) else { return nil }
        return path[path.endIndex - text.count - 1] == self.slash ? nil : suffix
    }

    /// Cuts the first segment, still percent-encoded, off `path`. `/` has none.
    static func nextSegment(_ path: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let start = path.first == self.slash ? path.startIndex + 1 : path.startIndex
        guard start < path.endIndex else { return nil }
        let end = path[start...].firstIndex(of: self.slash) ?? path.endIndex
        defer { path = path[end...] }
        return path[start..<end]
    }
}
