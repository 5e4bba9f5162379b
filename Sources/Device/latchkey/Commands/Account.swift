import AccessEnabler
import Clientless
import FoundationEssentials
import POSIX

/// The sign-in of the box.
struct Account: Sendable {
    let mvpdID: String
    /// The provider's own name; its ID where the server does not say.
    let name: String
    /// When it runs out, in milliseconds since 1970.
    let expires: Int64

    /// The account of the sign-in the library knows.
    init(_ mvpdID: String, _ enabler: AccessEnabler) async {
        self.mvpdID = mvpdID
        self.name = await enabler.selectedProvider()?.displayName ?? mvpdID
        let expiry = await enabler.metadata(.authenticationExpiry).date
        self.expires = expiry.map { Int64(($0.timeIntervalSince1970 * 1000).rounded()) } ?? WallClock.milliseconds()
    }

    /// The members that several events share.
    var members: EventMembers {
        ["mvpd": .string(self.mvpdID), "name": .string(self.name), "expires": .integer(self.expires)]
    }

    /// How long until it runs out, in the largest unit that is at least one.
    var lifetime: String {
        let seconds = max(0, self.expires / 1000 - WallClock.milliseconds() / 1000)
        for (unit, length) in [("day", Int64(86_400)), ("hour", 3600), ("minute", 60)] where seconds >= length {
            let count = seconds / length
            return "\(count) \(unit)\(count == 1 ? "" : "s")"
        }
        return "\(seconds) seconds"
    }
}
