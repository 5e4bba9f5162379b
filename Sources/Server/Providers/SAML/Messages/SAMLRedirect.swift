import Cryptography
import OpenIDConnect
import TextCoding

/// Messages in addresses (SAML 2.0 Bindings 3.4): Base64 of DEFLATE, and a signature over the query.
enum SAMLRedirect {
    /// The signatures that are taken, by their names (Bindings 3.4.4.1; RFC 6931 2.3).
    private static let digests: [String: SignatureDigest] = [
        SAMLKey.method: .sha256, "http://www.w3.org/2001/04/xmldsig-more#rsa-sha384": .sha384,
        "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512": .sha512,
    ]

    /// The address that brings `message` to a provider.
    /// - Parameter name: `SAMLRequest` or `SAMLResponse`.
    /// - Throws: `libraryFailed`; `tooLarge`.
    static func address(
        _ endpoint: EndpointAddress, _ name: String, _ message: CanonicalElement, relayState: String?,
        signedBy signature: SAMLKey
    ) throws(AssertionFault) -> String {
        endpoint.appending(query: try Self.query(name, message, relayState: relayState, signedBy: signature))
    }

    /// The query of such an address.
    /// - Throws: `libraryFailed`; `tooLarge`.
    static func query(
        _ name: String, _ message: CanonicalElement, relayState: String?, signedBy signature: SAMLKey
    ) throws(AssertionFault) -> String {
        var pairs = [(name, Base64.encode(try Self.deflated(Array(message.written.utf8))))]
        if let relayState { pairs.append(("RelayState", relayState)) }
        pairs.append(("SigAlg", SAMLKey.method))
        let query = pairs.map { "\($0)=\(PercentCoding.encoded($1))" }.joined(separator: "&")
        let value = Base64.encode(try signature.signature(for: query))
        return "\(query)&Signature=\(PercentCoding.encoded(value))"
    }

    /// In one block that is stored as it is: messages of ours are short (RFC 1951 3.2.4).
    private static func deflated(_ bytes: [UInt8]) throws(AssertionFault) -> [UInt8] {
        guard let count = UInt16(exactly: bytes.count) else { throw .tooLarge }
        let (low, high) = (UInt8(truncatingIfNeeded: count), UInt8(truncatingIfNeeded: count >> 8))
        return [1, low, high, ~low, ~high] + bytes
    }

    /// The message of a parameter.
    /// - Throws: `notDeflated`; `libraryMissing`, `libraryFailed`.
    static func message(_ parameter: String) throws(AssertionFault) -> [UInt8] {
        let limit = SAMLDocument.maximumLogoutSize
        guard parameter.utf8.count <= 2 * limit, let bytes = Base64.decodeTolerantly(parameter)
        else { throw .notDeflated }
        return try LassoLibrary.inflated(bytes, limit: limit)
    }

    /// Checks the signature over a query.
    /// - Parameter query: as it came.
    /// - Throws: `querySignature`.
    static func verify(_ query: String, _ name: String, by keys: [RSAPublicKey]) throws(AssertionFault) {
        var values: [String: Substring] = [:]
        for pair in query.split(separator: "&") {
            guard let sign = pair.firstIndex(of: "=") else { continue }
            let key = String(pair[..<sign])
            guard values.updateValue(pair[pair.index(after: sign)...], forKey: key) == nil
            else { throw .querySignature }
        }
        guard let message = values[name], let method = values["SigAlg"], let signature = values["Signature"],
            let digest = Self.digests[PercentCoding.decodedForm(ArraySlice(method.utf8))],
            let bytes = Base64.decodeTolerantly(PercentCoding.decodedForm(ArraySlice(signature.utf8)))
        else { throw .querySignature }
        // In this order, however they came, and as they were written.
        let relayState = values["RelayState"].map { "&RelayState=\($0)" } ?? ""
        let signed = Array("\(name)=\(message)\(relayState)&SigAlg=\(method)".utf8)
        guard keys.contains(where: { $0.isValidSignature(bytes, for: signed, digest) }) else { throw .querySignature }
    }
}
