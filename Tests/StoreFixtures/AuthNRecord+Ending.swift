package import Clientless
package import Entitlement

extension AuthNRecord {
    /// The same sign-in with another end.
    package func ending(at end: Timestamp) -> AuthNRecord {
        var copy = self
        copy.expires = end
        return copy
    }
}
