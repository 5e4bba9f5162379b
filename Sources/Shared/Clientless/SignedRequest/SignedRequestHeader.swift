package import Cryptography

/// The `Authorization` header of the HMAC scheme, taken apart (rest-v1 7.2).
///
/// Its content is not to be believed before ``isAuthentic(under:)`` said yes. A request pays for one of these, so the
/// parts are slices of the header and the code is the only thing decoded.
package struct SignedRequestHeader: Sendable, CustomStringConvertible {
    /// The longest header read, in bytes: it may carry a URL with a whole resource in it (rest-v1 3.3).
    package static let maximumLength = 16_384

    let text: String
    let layout: SignedRequestLayout

    /// The 20 bytes of the code (`S`).
    package let signature: [UInt8]

    /// Reads a header's value by steps 1 to 4 of rest-v1 7.3.
    /// - Throws: `tooLong`, `malformed`, `unsupportedMethod`. A bad time is left to ``check(now:window:)``.
    package init(_ text: String) throws(SignedRequestError) {
        let utf8 = text.utf8
        let bytes = utf8.span
        let layout = try SignedRequestLayout(bytes)
        guard let signature = Base64.decode(bytes.extracting(layout.signature)), signature.count == 20 else {
            throw .malformed
        }
        self.text = text
        self.layout = layout
        self.signature = signature
    }

    /// The public key a header names, read without the rest: for who only asks whether the key is one of a few.
    package static func claimedPublicKey(in text: String) -> String? {
        let bytes = text.utf8
        guard bytes.count <= Self.maximumLength,
            let place = SignedRequestLayout.publicKey(in: bytes.span, 0..<bytes.count)
        else { return nil }
        return Self.copy(text, place)
    }

    /// The text of `requestor_id` (`R`), not yet checked against its grammar.
    package var requestor: String { Self.copy(self.text, self.layout.requestor) }
    /// 1 to ``SignedRequestLayout/maximumNonceLength`` bytes.
    package var nonce: String { Self.copy(self.text, self.layout.nonce) }
    /// The identifier of the key pair (`K`), 1 to ``SignedRequestLayout/maximumKeyLength`` bytes.
    package var publicKey: String { Self.copy(self.text, self.layout.publicKey) }
    /// The device's clock, or `nil` when `request_time` has not exactly 13 digits.
    package var time: Timestamp? { self.layout.time.map(Timestamp.init(milliseconds:)) }

    /// Whether the code is the one that the holder of `key` makes for the signed text; in constant time.
    package func isAuthentic(under key: HMACKey) -> Bool {
        precondition(key.hash === DigestAlgorithm.sha1, "signed requests are HMAC-SHA1")
        let text = self.text.utf8
        return key.isValid(self.signature.span, for: text.span.extracting(self.layout.signedText))
    }

    /// The nonce and the key it was used with as a number of this process, for tables that are asked with every call.
    /// - Parameter key: the hash of the public key, which need not be made anew.
    package func nonceHash(under key: Int) -> Int {
        var hasher = Hasher()
        let text = self.text.utf8
        hasher.combine(key)
        hasher.combine(self.layout.nonce.count)
        text.span.extracting(self.layout.nonce).feed(&hasher)
        return hasher.finalize()
    }

    /// The first 64 bits of the code. Those of an authentic header stand for its signed text.
    package var signatureBits: UInt64 { self.signature.span.word(at: 0, count: 8) }

    /// Checks the device's clock, step 7: it may differ from ours by `window` at most, in either direction.
    /// - Throws: `invalidTime`, `outsideWindow`.
    package func check(now: Timestamp, window: Duration) throws(SignedRequestError) {
        guard let time = self.time else { throw .invalidTime }
        // Converted once: a duration has 128 bits, which take longer to divide than all of the rest here.
        let (difference, overflow) = now.milliseconds.subtractingReportingOverflow(time.milliseconds)
        guard !overflow, difference.magnitude <= UInt64(max(0, window.wholeMilliseconds)) else { throw .outsideWindow }
    }

    // A header is as good as a password while its window is open.
    package var description: String { "<signed request>" }

    /// By way of the bytes: a slice of a string looks for the bounds of characters first. Every part begins and ends
    /// beside ASCII.
    private static func copy(_ text: String, _ range: Range<Int>) -> String {
        let text = text.utf8
        guard let bytes = try? UTF8Span(validating: text.span.extracting(range)) else { return "" }
        return String(copying: bytes)
    }
}

extension Span<UInt8> {
    /// Hashes the bytes eight at a time; one at a time takes five times as long.
    fileprivate func feed(_ hasher: inout Hasher) {
        var offset = 0
        while offset + 8 <= self.count {
            hasher.combine(self.word(at: offset, count: 8))
            offset += 8
        }
        hasher.combine(self.word(at: offset, count: self.count - offset))
    }

    /// `count` bytes, at most eight, as a number.
    @inline(__always)
    fileprivate func word(at offset: Int, count: Int) -> UInt64 {
        var word: UInt64 = 0
        for index in offset..<offset + count { word = word << 8 | UInt64(self[index]) }
        return word
    }
}

/// Why a signed header is refused before any key is looked up. All of them are answered alike (rest-v1 7.5); they are
/// told apart for counters, and for callers to whom enhanced errors are sent.
package enum SignedRequestError: String, Error, Hashable, Sendable {
    /// Not of the layout of rest-v1 7.2.
    case malformed
    /// Longer than ``SignedRequestHeader/maximumLength``.
    case tooLong
    /// A `signature_method` other than `HMAC-SHA1`.
    case unsupportedMethod
    /// A `request_time` that is not of 13 digits, such as one in seconds.
    case invalidTime
    /// A `request_time` too far from the server's clock.
    case outsideWindow
}
