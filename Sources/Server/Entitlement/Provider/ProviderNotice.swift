package import Clientless

/// A provider's word that a viewer signed out there, as it came: foreign text, bounded and otherwise unchecked.
package enum ProviderNotice: Hashable, Sendable {
    /// From the provider itself, which signed it.
    case backChannel(token: String)
    /// From a browser that a page of the provider sent here.
    case frontChannel(issuer: String, session: String)
}

/// A notice that is the provider's own.
package struct CheckedNotice: Hashable, Sendable {
    /// What makes a notice count once.
    package struct Once: Hashable, Sendable {
        /// The provider's, for the one notice.
        package let id: String
        /// Until when it could come again.
        package let until: Timestamp

        package init(_ id: String, until: Timestamp) {
            self.id = id
            self.until = until
        }
    }

    package let ending: ProviderEnding
    /// `nil` for a notice that may come again.
    package let once: Once?

    package init(_ ending: ProviderEnding, once: Once? = nil) {
        self.ending = ending
        self.once = once
    }
}
