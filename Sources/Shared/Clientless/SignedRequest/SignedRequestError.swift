/// Why a signed header is refused before any key is looked up. All of them are answered alike (rest-v1 7.5); they are
/// told apart for counters, and for callers to whom enhanced errors are sent.
package struct SignedRequestError: Error, Hashable, Sendable, CustomStringConvertible {
    private enum Value: String { case malformed, tooLong, unsupportedMethod, invalidTime, outsideWindow }

    private let value: Value

    /// Not of the layout of rest-v1 7.2.
    package static let malformed = SignedRequestError(value: .malformed)
    /// Longer than ``SignedRequestHeader/maximumLength``.
    package static let tooLong = SignedRequestError(value: .tooLong)
    /// A `signature_method` other than `HMAC-SHA1`.
    package static let unsupportedMethod = SignedRequestError(value: .unsupportedMethod)
    /// A `request_time` that is not of 13 digits, such as one in seconds.
    package static let invalidTime = SignedRequestError(value: .invalidTime)
    /// A `request_time` too far from the server's clock.
    package static let outsideWindow = SignedRequestError(value: .outsideWindow)

    package var description: String { self.value.rawValue }
}
