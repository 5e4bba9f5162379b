package import Clientless

/// A sign-in as the server tells it (rest-v1 14.3).
package struct Authentication: Sendable, Hashable {
    /// The provider's ID.
    package let mvpdID: String
    /// When it runs out, by the server's clock.
    package let expires: Timestamp

    package init(mvpdID: String, expires: Timestamp) {
        self.mvpdID = mvpdID
        self.expires = expires
    }
}
