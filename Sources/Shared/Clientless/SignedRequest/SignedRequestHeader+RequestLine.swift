extension SignedRequestHeader {
    /// Whether the signed verb and URI are those of the request, by the tolerant rules at the end of rest-v1 7.4.
    ///
    /// Of both paths scheme, host, query, the services' prefixes, a format suffix and a last slash are taken away; what was
    /// signed is then the rest of the path, or its last segment. Deployed clients reuse headers, so a
    /// mismatch is refused only for requestors that are strict (7.3, step 9).
    /// - Parameter path: the path of the request as it was routed.
    package func matches(method: String, path: String) -> Bool {
        guard self.verb == method else { return false }
        let (signed, actual) = (RequestPath.core(of: self.requestURI), RequestPath.core(of: path[...]))
        return signed == actual || signed == RequestPath.lastSegment(of: actual)
    }
}

/// A path without what clients leave out or add.
enum RequestPath {
    /// What is left of a URI when everything that may differ is gone: empty, or beginning with a slash.
    static func core(of uri: Substring) -> Substring {
        var path = Self.withoutSchemeAndHost(uri)
        if let end = path.utf8.firstIndex(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) {
            path = path[..<end]
        }
        while path.utf8.starts(with: "//".utf8) { path = path.dropFirst() }
        if path.utf8.last == UInt8(ascii: "/") { path = path.dropLast() }
        if path.hasSuffix(".json") { path = path.dropLast(5) }
        if path.hasSuffix(".xml") { path = path.dropLast(4) }
        return Self.withoutServicePrefix(path)
    }

    /// The last segment, with the slash before it.
    static func lastSegment(of path: Substring) -> Substring {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[$0...] } ?? path
    }

    private static func withoutSchemeAndHost(_ uri: Substring) -> Substring {
        for scheme in ["https://", "http://"] where uri.hasPrefix(scheme) {
            let rest = uri.dropFirst(scheme.utf8.count)
            return rest.utf8.firstIndex(of: UInt8(ascii: "/")).map { rest[$0...] } ?? ""
        }
        return uri
    }

    private static func withoutServicePrefix(_ path: Substring) -> Substring {
        if path.hasPrefix("/api/v1/") { return path.dropFirst(7) }
        guard path.hasPrefix("/reggie/v1/") else { return path }
        let rest = path.dropFirst(11)
        return rest.utf8.firstIndex(of: UInt8(ascii: "/")).map { rest[$0...] } ?? ""
    }
}
