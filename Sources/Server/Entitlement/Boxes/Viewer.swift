package import Clientless
import Cryptography

/// A viewer whom a provider vouched for, who looks at their own boxes.
package struct Viewer: Hashable, Sendable {
    package let mvpd: MVPDID
    /// Pseudonymous (``AuthNRecord/userID``).
    package let userID: String

    /// All their sign-ins, for whatever requestor.
    var selection: AuthNSelection {
        var selection = AuthNSelection()
        selection.mvpd = self.mvpd
        selection.userID = self.userID
        return selection
    }

    /// The name in the audit log.
    var auditName: String { "viewer \(self.userID.prefix(16))" }
}

/// A box as its viewer sees it, with all that they are signed in for there.
package struct OwnBox: Hashable, Sendable {
    package let handle: BoxHandle
    /// The name that the viewer or the box gave it; `nil` if neither said anything.
    package let name: String?
    package let model: String?
    /// The network it asked from when it was signed in; `nil` if that is not known.
    package let network: String?
    /// In the order of their sign-ins, the newest first.
    package let requestors: [RequestorID]
    /// When the viewer first signed in there, of the sign-ins that last.
    package let since: Timestamp
    /// When it last asked for something to play; `nil` if it did not for as long as decisions are kept.
    package let seen: Timestamp?
    /// When the last of its sign-ins ends.
    package let until: Timestamp
    /// Whether the viewer confirmed a code that was read out to them.
    package let isReadOut: Bool
}

/// A new box of a viewer, for a message to them.
package struct AddedBox: Sendable {
    /// The viewer to tell, as the provider calls them.
    package let account: String
    /// The name of an account of this server; `nil` at every other provider.
    package var accountName: String?
    package let provider: MVPD
    package let requestor: Requestor
    package let name: String?
    package let model: String?
    package let network: String?
    package let time: Timestamp
    /// Lets the one who has it sign this box out, and nothing else.
    package let notice: String
}

/// The content of a message about a new box carries: the sign-in, and the server's word for it.
struct BoxNoticeToken: Sendable {
    private static let macSize = 16

    let text: String
    let id: AuthNID

    init(_ id: AuthNID, key: KeyedHash) {
        self.id = id
        self.text = "\(id.text)-\(Hex.encode(key.hash(of: "box-notice/\(id.text)").prefix(Self.macSize)))"
    }

    /// - Returns: `nil` if this server did not write it.
    init?(_ text: String, key: KeyedHash) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard text.utf8.count <= 128, parts.count == 2 else { return nil }
        let own = BoxNoticeToken(AuthNID(text: String(parts[0])), key: key)
        guard constantTimeEqual(own.text.utf8, text.utf8) else { return nil }
        self = own
    }
}

/// A box that a message told of, for the page that asks whether the viewer knows it.
package struct NoticedBox: Hashable, Sendable {
    package let name: String?
    package let model: String?
    package let network: String?
    package let provider: MVPDID
    package let requestor: RequestorID
    package let since: Timestamp
}
