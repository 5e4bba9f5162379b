package import Cryptography

/// The compact form of a signed JSON Web Token: header, claims and signature, joined by dots (RFC 7515 section 7.1).
///
/// Which algorithm is right is known before a token is opened; the header may only agree. So `none`, and a public key
/// taken for an HMAC secret, have no way in (RFC 8725 section 3.1).
package struct CompactToken {
    enum Algorithm: String {
        case rs256 = "RS256"
        case es256 = "ES256"
    }

    /// The longest token read, in bytes.
    static let maximumLength = 16_384

    private let signedText: Substring
    private let claims: [UInt8]
    private let signature: [UInt8]

    /// - Throws: `malformed`, `wrongAlgorithm`.
    init(_ text: String, algorithm: Algorithm) throws(JSONWebTokenError) {
        guard text.utf8.count <= Self.maximumLength else { throw .malformed }
        let parts = text.split(separator: ".", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3,
            let header = Base64.decodeURL(parts[0]), let claims = Base64.decodeURL(parts[1]),
            let signature = Base64.decodeURL(parts[2]),
            let header = JSONValue(reading: header), let name = header["alg"]?.string
        else { throw .malformed }
        guard name == algorithm.rawValue else { throw .wrongAlgorithm }
        // An extension its writer declared critical and we do not know (RFC 7515 section 4.1.11).
        guard header["crit"] == nil else { throw .malformed }
        self.signedText = text[..<parts[1].endIndex]
        self.claims = claims
        self.signature = signature
    }

    /// Opens the claims, once `isValid` accepts the signature over the signed text.
    /// - Throws: `badSignature`; then `badClaims`.
    func claims(
        isValid: (_ signature: [UInt8], _ signedText: Substring.UTF8View) -> Bool
    ) throws(JSONWebTokenError) -> JSONValue {
        guard isValid(self.signature, self.signedText.utf8) else { throw .badSignature }
        guard let claims = JSONValue(reading: self.claims) else { throw .badClaims }
        return claims
    }

    /// Writes a token. `sign` makes the signature in the form JOSE has for the algorithm.
    package static func write(
        header: JSONValue, claims: JSONValue,
        sign: (_ signedText: String.UTF8View) throws(CryptographyError) -> [UInt8]
    ) throws(CryptographyError) -> String {
        let signedText = "\(Base64.encodeURL(header.text.utf8)).\(Base64.encodeURL(claims.text.utf8))"
        return "\(signedText).\(Base64.encodeURL(try sign(signedText.utf8)))"
    }
}

package enum JSONWebTokenError: String, Error, Hashable, Sendable {
    /// Not three parts of Base 64 with a JSON header, or too long.
    case malformed
    /// Signed, or said to be, in another way than tokens of its kind are.
    case wrongAlgorithm
    case badSignature
    /// Genuine, but a claim is missing, of the wrong type, or names another issuer.
    case badClaims
    /// Genuine, but `exp` has passed.
    case expired
    /// Genuine, but `nbf` has not come.
    case notYetValid
}
