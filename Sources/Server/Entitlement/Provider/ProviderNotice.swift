package import Clientless

/// A provider's word that a viewer signed out there, as it came: foreign text, bounded and otherwise unchecked.
package enum ProviderNotice: Hashable, Sendable {
    case backChannel(token: String)
    /// From a browser that a page of the provider sent here.
    case frontChannel(issuer: String, session: String)
    /// From a browser, signed by the provider, or unsigned words of a guesser.
    case browser(ProviderCallback)
    /// From the provider itself: a document in an envelope.
    case envelope([UInt8])
}

/// A notice that is the provider's own.
package struct CheckedNotice: Hashable, Sendable {
    /// The mark that makes a notice count once.
    package struct Once: Hashable, Sendable, Decodable {
        /// The provider's, for the one notice.
        package let id: String
        /// Until when it could come again.
        package let until: Timestamp

        var json: JSONValue { ["id": .string(self.id), "until": self.until.json] }

        package init(_ id: String, until: Timestamp) {
            self.id = id
            self.until = until
        }
    }

    /// Empty for a notice that asks for nothing more, such as the answer to a logout of ours.
    package let endings: [ProviderEnding]
    /// `nil` for a notice that may come again.
    package let once: Once?
    /// The answer once the sign-ins have ended.
    package let reply: ProviderNoticeReply

    package init(_ endings: [ProviderEnding], once: Once? = nil, reply: ProviderNoticeReply = .done) {
        self.endings = endings
        self.once = once
        self.reply = reply
    }
}

package enum ProviderNoticeReply: Hashable, Sendable {
    case done
    case redirect(url: String)
    /// The browser brings this to the provider.
    case form(ProviderForm)
    case document(String)
}

package typealias NoticeOutcome = (ended: Int, reply: ProviderNoticeReply)
