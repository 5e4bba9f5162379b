/// What a key file signs.
package enum KeyUse: String, CaseIterable, Sendable {
    /// Media tokens and the other token documents (rest-v1 22): RSA, or EC on P-256 where the operator put one.
    case tokenSigning = "token-signing"
    /// Software statements of registered applications (rest-v1 10.1): RSA.
    case softwareStatement = "software-statement"
    /// Access tokens (rest-v1 10.4): EC on P-256.
    case accessToken = "access-token"

    /// The name of the `number`th key's file; rotation counts up.
    package func fileName(_ number: Int) -> String { self.name.text(number) }

    /// The number in a file's name.
    /// - Returns: `nil` for files of other uses and anything else.
    package func number(inFileName name: String) -> Int? { self.name.number(in: name) }

    private var name: KeyFileName { KeyFileName(use: self.rawValue, ending: "pem") }
}
