package import Clientless
package import Cryptography

extension AccessEnabler {
    /// The proof of an application.
    public struct Credentials: Sendable {
        package enum Kind: Sendable {
            case softwareStatement(Secret)
            case keyPair(KeyPair)
        }

        package let kind: Kind

        package init(_ kind: Kind) { self.kind = kind }

        /// A signed statement about the application; the library registers an installation with it (rest-v1 10).
        /// - Parameter text: the statement; white space of pasted text is left out.
        /// - Returns: `nil` for an empty text.
        public static func softwareStatement(_ text: String) -> Credentials? {
            let statement = text.filter { !$0.isWhitespace }
            return statement.isEmpty ? nil : Credentials(.softwareStatement(Secret(statement)))
        }

        /// A key pair that signs every request, for deployments without registration (rest-v1 7.2).
        /// - Parameters:
        ///   - publicKey: its name; letters, digits and `-._~+/=`.
        ///   - privateKey: the secret.
        /// - Returns: `nil` when the name cannot be one.
        public static func keyPair(publicKey: String, privateKey: String) -> Credentials? {
            KeyPair(publicKey: publicKey, privateKey: Secret(privateKey)).map { Credentials(.keyPair($0)) }
        }
    }
}
