import TextCoding

/// The part of a request's path that clients agree on, as a range of its bytes: what is left when scheme, host, query,
/// repeated and last slashes, a format suffix and the services' prefixes are gone (rest-v1 7.4).
///
/// It is empty or begins with a slash, unless the path has none. It is found without copying: every signed request pays
/// for two.
enum SignedPath {
    static func core(of uri: Span<UInt8>) -> Range<Int> {
        var start = Self.endOfSchemeAndHost(uri)
        var end = start
        while end < uri.count, uri[end] != UInt8(ascii: "?"), uri[end] != UInt8(ascii: "#") { end += 1 }
        while uri.comes(Self.twoSlashes, at: start, before: end) { start += 1 }
        if start < end, uri[end - 1] == UInt8(ascii: "/") { end -= 1 }
        // The signer chooses every byte of the URI: a host may end like a suffix, and is not part of the path.
        for suffix in Self.suffixes
        where end - start >= suffix.count && uri.comes(suffix, at: end - suffix.count, before: end) {
            end -= suffix.count
            break
        }
        return Self.endOfServicePrefix(uri, start..<end)..<end
    }

    /// The last segment of a core, with the slash before it.
    static func lastSegment(of path: Span<UInt8>, in core: Range<Int>) -> Range<Int> {
        var start = core.upperBound
        while start > core.lowerBound {
            start -= 1
            if path[start] == UInt8(ascii: "/") { break }
        }
        return start..<core.upperBound
    }

    private static func endOfSchemeAndHost(_ uri: Span<UInt8>) -> Int {
        for scheme in Self.schemes where uri.comes(scheme, at: 0, before: uri.count) {
            return uri.firstSlash(from: scheme.count, before: uri.count)
        }
        return 0
    }

    /// A prefix of which nothing follows stays, but for the requestor's, of which nothing is then left.
    private static func endOfServicePrefix(_ uri: Span<UInt8>, _ path: Range<Int>) -> Int {
        let (start, end) = (path.lowerBound, path.upperBound)
        if uri.comes(Self.entitlementPrefix, at: start, before: end) { return start + Self.entitlementPrefix.count - 1 }
        guard uri.comes(Self.codePrefix, at: start, before: end) else { return start }
        return uri.firstSlash(from: start + Self.codePrefix.count, before: end)
    }

    private static let twoSlashes = Array("//".utf8)
    private static let schemes = ["https://", "http://"].map { Array($0.utf8) }
    private static let suffixes = [".json", ".xml"].map { Array($0.utf8) }
    private static let entitlementPrefix = Array("/api/v1/".utf8)
    private static let codePrefix = Array("/reggie/v1/".utf8)
}

extension Span<UInt8> {
    /// Whether `mark` stands at an offset, before `end`.
    func comes(_ mark: [UInt8], at offset: Int, before end: Int) -> Bool {
        guard offset >= 0, end - offset >= mark.count else { return false }
        return self.extracting(offset..<offset + mark.count).elementsEqual(mark.span)
    }

    fileprivate func firstSlash(from offset: Int, before end: Int) -> Int {
        var offset = offset
        while offset < end, self[offset] != UInt8(ascii: "/") { offset += 1 }
        return Swift.min(offset, end)
    }
}
