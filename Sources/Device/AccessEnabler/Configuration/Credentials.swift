package import Clientless
package import Cryptography

/// What an application proves itself with.
package enum Credentials: Sendable {
    /// A signed statement about the application; the library registers an installation with it (rest-v1 10).
    case softwareStatement(Secret)
    /// A key pair that signs every request, for deployments without registration (rest-v1 7.2).
    case keyPair(KeyPair)
}
