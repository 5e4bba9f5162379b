extension SignedRequestHeader {
    /// Whether the signed verb and URI are those of the request, by the tolerant rules at the end of rest-v1 7.4.
    ///
    /// Of both paths scheme, host, query, the services' prefixes, a format suffix and a last slash are taken away; what
    /// was signed is then the rest of the path, or its last segment. Deployed clients reuse headers, so a mismatch is
    /// refused only for requestors that are strict (7.3, step 9).
    /// - Parameter path: the path of the request as it was routed.
    package func matches(method: String, path: String) -> Bool {
        guard self.verb.utf8.elementsEqual(method.utf8) else { return false }
        let (signedUTF8, actualUTF8) = (self.requestURI.utf8, path.utf8)
        let (signed, actual) = (signedUTF8.span, actualUTF8.span)
        let (signedCore, actualCore) = (RequestPath.core(of: signed), RequestPath.core(of: actual))
        let lastSegment = RequestPath.lastSegment(of: actual, in: actualCore)
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
