/// What a key file signs.
package enum KeyUse: String, CaseIterable, Sendable {
    /// Media tokens and the other token documents (rest-v1 22): RSA, or EC on P-256 where the operator put one.
    case tokenSigning = "token-signing"
    /// Software statements of registered applications (rest-v1 10.1): RSA.
    case softwareStatement = "software-statement"
    /// Access tokens (rest-v1 10.4): EC on P-256.
    case accessToken = "access-token"

    /// The name of the `number`th key's file; rotation counts up.
    package func fileName(_ number: Int) -> String { "\(self.rawValue)-\(number).pem" }

    /// The number in a file's name.
    /// - Returns: `nil` for files of other uses and anything else.
    package func number(inFileName name: String) -> Int? {
        guard name.hasPrefix(self.rawValue + "-"), name.hasSuffix(".pem") else { return nil }
        let digits = name.dropFirst(self.rawValue.utf8.count + 1).dropLast(4)
        guard (1...6).contains(digits.utf8.count), digits.first != "0",
            digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return Int(digits)
    }
}
