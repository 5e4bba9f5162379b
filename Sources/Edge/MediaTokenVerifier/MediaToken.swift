package import Clientless
import Cryptography
public import FoundationEssentials

/// The content of a genuine media token. It may be expired, or be for another resource: look at the result first.
public struct MediaToken: Hashable, Sendable {
    /// The channel or programme the viewer may play, as your application asked for it.
    public let resourceID: String
    /// When the token was issued, to the second.
    public let issueTime: Date
    /// How long it is good for from then on.
    public let timeToLive: Duration
    /// An anonymous identifier of the viewer's session at the provider. The same viewer may have several.
    public let sessionGUID: String
    /// The TV provider that vouches for the viewer.
    public let mvpdID: String
    /// The provider behind ``mvpdID``, where that one acts for another.
    public let proxyMVPDID: String?

    /// The identity of this token, for refusing one that is shown twice: the SHA-256 of what is signed, in
    /// hexadecimal.
    ///
    /// A media token is meant for one playback. Remember the fingerprint until ``expirationTime``, and refuse a token
    /// whose fingerprint you remember. Do not remember the token's text: it can be written in several ways.
    public let fingerprint: String

    /// The moment from which the token is expired.
    public var expirationTime: Date {
        let (seconds, attoseconds) = self.timeToLive.components
        return self.issueTime.addingTimeInterval(Double(seconds) + Double(attoseconds) * 1e-18)
    }

    package init(_ document: MediaTokenDocument, element: String) {
        self.resourceID = document.resource.text
        self.issueTime = Date(timeIntervalSince1970: Double(document.issueTime.milliseconds) / 1000)
        self.timeToLive = document.timeToLive
        self.sessionGUID = document.sessionGUID
        self.mvpdID = document.mvpd.text
        self.proxyMVPDID = document.proxyMVPD?.text
        self.fingerprint = Hex.encode(Digest.sha256(element.utf8))
    }
}
