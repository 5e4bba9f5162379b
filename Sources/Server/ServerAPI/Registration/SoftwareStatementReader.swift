import Clientless
package import Cryptography

/// Reads software statements under the operator's keys.
package struct SoftwareStatementReader: Sendable {
    private let keys: [RSAPublicKey]
    private let issuer: String

    /// - Parameters:
    ///   - keys: newest first.
    ///   - issuer: the claim `iss` of our statements.
    package init(keys: [RSAPublicKey], issuer: String) {
        self.keys = keys
        self.issuer = issuer
    }

    /// - Returns: `nil` for what is not a statement of ours.
    func softwareID(of text: String, now: Timestamp) -> String? {
        (try? SoftwareStatement(reading: text, trusting: self.keys, issuer: self.issuer, at: now))?.softwareID
    }
}
