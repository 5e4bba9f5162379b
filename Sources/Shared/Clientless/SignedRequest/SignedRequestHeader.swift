package import Cryptography
import TextCoding

/// The `Authorization` header of the HMAC scheme, taken apart (rest-v1 7.2).
///
/// Its content is not to be believed before ``isAuthentic(under:)`` said yes. A request pays for one of these, so the
/// parts are slices of the header and the code is the only thing decoded.
package struct SignedRequestHeader: Sendable, CustomStringConvertible {
    /// The longest header read, in bytes: it may carry a URL with a whole resource in it (rest-v1 3.3).
    package static let maximumLength = 16_384

    let bytes: ArraySlice<UInt8>
    let layout: SignedRequestLayout

    /// The 20 bytes of the code (`S`).
    package let signature: [UInt8]

    /// Reads a header's value by steps 1 to 4 of rest-v1 7.3.
    /// - Throws: `tooLong`, `malformed`, `unsupportedMethod`. A bad time is left to ``check(now:window:)``.
    package init(_ bytes: ArraySlice<UInt8>) throws(SignedRequestError) {
        let layout = try SignedRequestLayout(bytes.span)
        guard let signature = Base64.decode(bytes.span.extracting(layout.signature)), signature.count == 20 else {
            throw .malformed
        }
        self.bytes = bytes
        self.layout = layout
        self.signature = signature
    }

    /// The public key a header names, read without the rest: for who only asks whether the key is one of a few.
    package static func claimedPublicKey(in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard bytes.count <= Self.maximumLength else { return nil }
        return SignedRequestLayout.publicKey(in: bytes.span, 0..<bytes.count).map { bytes.part($0) }
    }

    /// The text of `requestor_id` (`R`), not yet checked against its grammar.
    package var requestor: ArraySlice<UInt8> { self.bytes.part(self.layout.requestor) }
    /// 1 to ``SignedRequestLayout/maximumNonceLength`` bytes.
    package var nonce: String { String(decoding: self.bytes.part(self.layout.nonce), as: UTF8.self) }
    /// The identifier of the key pair (`K`), 1 to ``SignedRequestLayout/maximumKeyLength`` bytes.
    package var publicKey: ArraySlice<UInt8> { self.bytes.part(self.layout.publicKey) }
    /// The device's clock, or `nil` when `request_time` has not exactly 13 digits.
    package var time: Timestamp? { self.layout.time.map(Timestamp.init(milliseconds:)) }

    /// Whether the code is the one that the holder of `key` makes for the signed text; in constant time.
    package func isAuthentic(under key: HMACKey) -> Bool {
        precondition(key.hash === DigestAlgorithm.sha1, "signed requests are HMAC-SHA1")
        return key.isValid(self.signature.span, for: self.bytes.span.extracting(self.layout.signedText))
    }

    /// The nonce and the key it was used with as a number of this process, for tables that are asked with every call.
    /// - Parameter key: the hash of the public key, which need not be made anew.
    package func nonceHash(under key: Int) -> Int {
        self.bytes.span.extracting(self.layout.nonce).keyedHash(with: key)
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
}

extension ArraySlice<UInt8> {
    /// The bytes at `places`, counted from the first.
    fileprivate func part(_ places: Range<Int>) -> ArraySlice<UInt8> {
        self[(self.startIndex + places.lowerBound)..<(self.startIndex + places.upperBound)]
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
