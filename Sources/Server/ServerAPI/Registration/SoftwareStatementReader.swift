import Clientless
package import Cryptography

/// Reads software statements under the operator's keys.
package struct SoftwareStatementReader: Sendable {
    private let keys: @Sendable () -> [RSAPublicKey]
    let issuer: String

    /// - Parameters:
    ///   - issuer: the claim `iss` of our statements.
    ///   - keys: asked with every statement; newest first.
    package init(issuer: String, keys: @escaping @Sendable () -> [RSAPublicKey]) {
        self.keys = keys
        self.issuer = issuer
    }

    /// - Returns: `nil` if it is not a statement of ours.
    func statement(in text: String, now: Timestamp) -> SoftwareStatement? {
        try? SoftwareStatement(reading: text, trusting: self.keys(), issuer: self.issuer, at: now)
    }
}
