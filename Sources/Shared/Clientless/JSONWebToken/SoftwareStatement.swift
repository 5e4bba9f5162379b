package import Cryptography

/// The proof that an application is registered: a token of the operator's that is built into the application
/// (rest-v1 10.1). It has no end; it is revoked at the server.
package struct SoftwareStatement: Hashable, Sendable {
    /// The key of the registered application, 1 to 256 bytes; `software_id` where a statement has one, else `sub`.
    package let softwareID: String
    /// 1 to 256 bytes.
    package let issuer: String
    /// To the second.
    package let issuedAt: Timestamp
    /// To the second.
    package let notBefore: Timestamp
    /// The names of the scopes, where the statement says any (rest-v1 10.5). They grant nothing: the registered
    /// application does.
    package let scopes: [String]

    package init(softwareID: String, issuer: String, issuedAt: Timestamp, notBefore: Timestamp, scopes: [String] = []) {
        self.softwareID = softwareID
        self.issuer = issuer
        self.issuedAt = issuedAt
        self.notBefore = notBefore
        self.scopes = scopes
    }

    /// The statement as a token, RS256.
    /// - Throws: `signingFailed`.
    package func signed(by key: RSAPrivateKey) throws(CryptographyError) -> String {
        try CompactToken.write(
            header: .object([.init("alg", .string(CompactToken.Algorithm.rs256.rawValue))]),
            claims: .object(
                [
                    .init("sub", .string(self.softwareID)), .init("iss", .string(self.issuer)),
                    .init("iat", .integer(self.issuedAt.seconds)), .init("nbf", .integer(self.notBefore.seconds)),
                ] + (self.scopes.isEmpty ? [] : [.init("scopes", .string(self.scopes.joined(separator: ",")))])),
            sign: { text throws(CryptographyError) in try key.signature(for: text) })
    }

    /// Reads a statement, which may have been pasted with line breaks.
    /// - Parameter leeway: by how much the clocks of issuer and server may differ.
    /// - Throws: `malformed`, `wrongAlgorithm`, `badSignature`, `badClaims`, `notYetValid`.
    package init(
        reading text: String, trusting keys: [RSAPublicKey], issuer: String, at now: Timestamp,
        leeway: Duration = .seconds(60)
    ) throws(JSONWebTokenError) {
        // Bounded before it is copied; white space of pasted text is a small part of it.
        guard text.utf8.count <= 2 * CompactToken.maximumLength else { throw .malformed }
        let token = try CompactToken(String(text.filter { !$0.isWhitespace }), algorithm: .rs256)
        let claims = try token.claims { signature, text in
            keys.contains { $0.isValidSignature(signature, for: text) }
        }
        func given(_ name: String) -> JSONValue? { claims[name].flatMap { $0 == .null ? nil : $0 } }
        // A text with names in it, or a list of names.
        let scopes = given("scopes") ?? given("scope") ?? []
        guard let subject = claims["sub"], case .string(let softwareID) = given("software_id") ?? subject,
            (1...256).contains(softwareID.utf8.count), subject.string != nil, claims["iss"]?.string == issuer,
            let issuedAt = claims["iat"]?.moment, let notBefore = claims["nbf"]?.moment,
            let names = scopes.string.map({ Scope.names(in: $0) }) ?? scopes.texts
        else { throw .badClaims }
        guard notBefore <= now + leeway else { throw .notYetValid }
        self.init(softwareID: softwareID, issuer: issuer, issuedAt: issuedAt, notBefore: notBefore, scopes: names)
    }
}
