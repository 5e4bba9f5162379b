import Cryptography
import TextCoding

extension SignedRequestHeader {
    /// Writes a header for a request (rest-v1 7.2).
    /// - Parameters:
    ///   - nonce: a text never used before with this key pair, such as a UUID; no comma, no space.
    ///   - time: the device's clock. One that stands before 2001 or after 2286 is written as the nearest 13 digits; the
    ///     server will refuse it, and its `Date` header tells the device how wrong the clock is.
    ///   - uri: the path without host, query and suffix, form 1 of rest-v1 7.4.
    package static func signed(
        verb: String, requestor: RequestorID, nonce: String, time: Timestamp, uri: String, keyPair: KeyPair
    ) -> String {
        precondition(
            (verb + nonce).utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ",") },
            "a verb and a nonce hold no comma and no space")
        precondition(
            uri.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }, "a signed URI holds no space and no control character")
        let milliseconds = min(max(time.milliseconds, 1_000_000_000_000), 9_999_999_999_999)
        let signedText =
            "\(verb) requestor_id=\(requestor), nonce=\(nonce), signature_method=HMAC-SHA1, "
            + "request_time=\(milliseconds), request_uri=\(uri)"
        let code = HMACKey(keyPair.privateKey, hash: .sha1).authenticationCode(for: signedText.utf8)
        return "\(signedText), public_key=\(keyPair.publicKey), signature=\(Base64.encode(code))"
    }
}

extension SignedRequestHeader {
    /// Whether the signed verb and URI are those of the request, by the tolerant rules at the end of rest-v1 7.4.
    ///
    /// Scheme, host, query, the services' prefixes, a format suffix and a last slash are taken away from both paths;
    /// what was signed is then the rest of the path, or its last segment. Deployed clients reuse headers, so a mismatch
    /// is refused only for requestors that are strict (7.3, step 9).
    /// - Parameter actual: the path of the request as it was routed.
    package func matches(method: String, path actual: Span<UInt8>) -> Bool {
        let (header, method) = (self.bytes.span, method.utf8)
        let (verb, signed) = (header.extracting(self.layout.verb), header.extracting(self.layout.requestURI))
        guard verb.elementsEqual(method.span) else { return false }
        // Most clients sign the path as it is.
        if signed.elementsEqual(actual) { return true }
        let (signedCore, actualCore) = (signed.extracting(SignedPath.core(of: signed)), SignedPath.core(of: actual))
        let lastSegment = SignedPath.lastSegment(of: actual, in: actualCore)
        return signedCore.elementsEqual(actual.extracting(actualCore))
            || signedCore.elementsEqual(actual.extracting(lastSegment))
    }
}
