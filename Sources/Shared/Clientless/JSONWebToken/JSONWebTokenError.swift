/// Why a JSON Web Token is refused.
package struct JSONWebTokenError: Error, Hashable, Sendable, CustomStringConvertible {
    private enum Value: String { case malformed, wrongAlgorithm, badSignature, badClaims, expired, notYetValid }

    private let value: Value

    /// Not three parts of Base 64 with a JSON header, or too long.
    package static let malformed = JSONWebTokenError(value: .malformed)
    /// Signed, or said to be, in another way than tokens of its kind are.
    package static let wrongAlgorithm = JSONWebTokenError(value: .wrongAlgorithm)
    /// No trusted key made the signature.
    package static let badSignature = JSONWebTokenError(value: .badSignature)
    /// Genuine, but a claim is missing, of the wrong type, or names another issuer.
    package static let badClaims = JSONWebTokenError(value: .badClaims)
    /// Genuine, but `exp` has passed.
    package static let expired = JSONWebTokenError(value: .expired)
    /// Genuine, but `nbf` has not come.
    package static let notYetValid = JSONWebTokenError(value: .notYetValid)

    package var description: String { self.value.rawValue }
}
