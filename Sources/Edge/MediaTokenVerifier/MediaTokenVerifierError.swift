/// A verifier that cannot be made. Made at start-up, it is a fault of the configuration.
public struct MediaTokenVerifierError: Error, Hashable, Sendable {
    private enum Value: Hashable { case invalidRequestor, noTrustedKey, unusableKey(index: Int) }

    private let value: Value

    private init(_ value: Value) { self.value = value }

    /// The requestor ID is not 1 to 64 letters, digits, `_` or `-`.
    public static let invalidRequestor = MediaTokenVerifierError(.invalidRequestor)
    /// There is no key, so no token could ever be valid.
    public static let noTrustedKey = MediaTokenVerifierError(.noTrustedKey)

    /// The text at this place of the list, counted from 0, holds no usable key.
    public static func unusableKey(at index: Int) -> MediaTokenVerifierError {
        MediaTokenVerifierError(.unusableKey(index: index))
    }
}

extension MediaTokenVerifierError: CustomStringConvertible {
    /// A sentence for the operator who configures the back end.
    public var description: String {
        switch self.value {
        case .invalidRequestor: "a requestor ID is 1 to 64 letters, digits, '_' or '-'"
        case .noTrustedKey: "no trusted key was given"
        case .unusableKey(let index):
            "trusted key \(index) is not an RSA key of 2048 to 8192 bits or an EC key on P-256 in PEM"
        }
    }
}
