extension SignedRequestHeader {
    /// Whether the signed verb and URI are those of the request, by the tolerant rules at the end of rest-v1 7.4.
    ///
    /// Of both paths scheme, host, query, the services' prefixes, a format suffix and a last slash are taken away; what
    /// was signed is then the rest of the path, or its last segment. Deployed clients reuse headers, so a mismatch is
    /// refused only for requestors that are strict (7.3, step 9).
    /// - Parameter path: the path of the request as it was routed.
    package func matches(method: String, path: String) -> Bool {
        let path = path.utf8
        return self.matches(method: method, path: path.span)
    }

    /// The same for bytes in one stretch, which a server has of every request and need not make a text of.
    package func matches(method: String, path actual: Span<UInt8>) -> Bool {
        let (header, method) = (self.text.utf8, method.utf8)
        let (verb, signed) = (
            header.span.extracting(self.layout.verb), header.span.extracting(self.layout.requestURI)
        )
        guard Self.areEqual(verb, 0..<verb.count, method.span, 0..<method.count) else { return false }
        // Most clients sign the path as it is.
        if Self.areEqual(signed, 0..<signed.count, actual, 0..<actual.count) { return true }
        let (signedCore, actualCore) = (SignedPath.core(of: signed), SignedPath.core(of: actual))
        let lastSegment = SignedPath.lastSegment(of: actual, in: actualCore)
        return Self.areEqual(signed, signedCore, actual, actualCore)
            || Self.areEqual(signed, signedCore, actual, lastSegment)
    }

    private static func areEqual(
        _ left: Span<UInt8>, _ leftRange: Range<Int>, _ right: Span<UInt8>, _ rightRange: Range<Int>
    ) -> Bool {
        guard leftRange.count == rightRange.count else { return false }
        for offset in 0..<leftRange.count
        where left[leftRange.lowerBound + offset] != right[rightRange.lowerBound + offset] {
            return false
        }
        return true
    }
}
