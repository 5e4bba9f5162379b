package import Clientless
import Cryptography

/// A viewer whom a provider vouched for, who looks at their own boxes.
package struct Viewer: Hashable, Sendable {
    package let mvpd: MVPDID
    /// Pseudonymous (``AuthNRecord/userID``).
    package let userID: String

    var selection: AuthNSelection { AuthNSelection(mvpd: self.mvpd, userID: self.userID) }
    var auditName: String { "viewer \(self.userID.prefix(16)) on a page" }
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

/// A new box of a viewer, for a message to them: the viewer to tell, as the provider calls them; the name of an account of
/// this server, `nil` at every other provider; and a notice that lets the one who has it sign this box out, and nothing
/// else.
package typealias AddedBox = (
    account: String, accountName: String?, provider: MVPD, requestor: Requestor, name: String?, model: String?,
    network: String?, time: Timestamp, notice: String
)

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

// The boxes of a viewer who signed in on a page: whole boxes, whatever they are signed in for there.
extension Boxes {
    /// The boxes of a viewer, the newest sign-in first.
    package func list(of viewer: Viewer, now: Timestamp) async throws(EntitlementError) -> BoxList {
        let (groups, isCut) = try await self.groups(viewer.selection, now: now)
        var boxes: [OwnBox] = []
        for group in groups.prefix(Self.mostListed) { boxes.append(try await self.box(group)) }
        return (boxes, isCut || groups.count > boxes.count)
    }

    /// Gives a box the name that its viewer calls it by.
    /// - Parameter name: cut to ``KeptBox/maximumTextLength`` bytes.
    /// - Returns: whether there is such a box.
    /// - Throws: `storeUnavailable`, `internal`.
    package func rename(
        _ handle: BoxHandle, to name: String, of viewer: Viewer, now: Timestamp
    ) async throws(EntitlementError) -> Bool {
        guard let group = try await self.group(handle, of: viewer, now: now) else { return false }
        for record in group.records {
            try await self.signIns.update(record) { (record: inout AuthNRecord) throws(EntitlementError) -> Void in
                var kept = try self.signIns.keptSession(of: record)
                kept.box = (kept.box ?? KeptBox()).named(name)
                record.sealedSession = try self.keys.sealed(kept.json, in: .session(of: record))
            }
        }
        return true
    }

    /// Signs one box of a viewer out, for everything they are signed in for there.
    /// - Returns: the box as it was; `nil` when there is none.
    package func signOut(
        _ handle: BoxHandle, of viewer: Viewer, now: Timestamp
    ) async throws(EntitlementError) -> OwnBox? {
        guard let group = try await self.group(handle, of: viewer, now: now) else { return nil }
        let box = try await self.box(group)
        try await self.end(group.records, by: viewer.auditName, now: now)
        return box
    }

    /// Signs all boxes of a viewer out.
    /// - Throws: `storeUnavailable`; what ended until then stays ended.
    package func signOutAll(of viewer: Viewer, now: Timestamp) async throws(EntitlementError) {
        // A round ends as many sign-ins as are read at once.
        for _ in 0..<64 {
            let (groups, isCut) = try await self.groups(viewer.selection, now: now)
            try await self.end(groups.flatMap(\.records), by: viewer.auditName, now: now)
            if !isCut { break }
        }
    }

    /// The box that a message told of, for the page that asks whether the viewer knows it.
    /// - Parameter notice: as ``AddedBox/notice`` was.
    /// - Returns: with its sign-in; `nil` when it is signed out, and for a notice that this server did not write.
    package func noticed(
        _ notice: String, now: Timestamp
    ) async throws(EntitlementError) -> (box: KeptBox, signIn: AuthNRecord)? {
        guard let record = try await self.record(of: notice, now: now) else { return nil }
        return ((try? self.signIns.keptSession(of: record))?.box ?? KeptBox(), record)
    }

    /// Signs a box out that its viewer says is not theirs, for everything it is signed in for with their account.
    /// Idempotent.
    package func disown(_ notice: String, now: Timestamp) async throws(EntitlementError) {
        guard let record = try await self.record(of: notice, now: now) else { return }
        let viewer = Viewer(mvpd: record.mvpd, userID: record.userID)
        let group = try await self.groups(viewer.selection, now: now).groups.first {
            $0.device == record.context.device
        }
        try await self.end(group?.records ?? [record], by: viewer.auditName, now: now)
    }

    private func record(of notice: String, now: Timestamp) async throws(EntitlementError) -> AuthNRecord? {
        guard let token = BoxNoticeToken(notice, key: self.keys.tokens) else { return nil }
        let record = try await stored(await self.store.authentication(token.id))
        return record.flatMap { $0.isCurrent(at: now) && $0.origin.isOfAccount ? $0 : nil }
    }

    private func group(
        _ handle: BoxHandle, of viewer: Viewer, now: Timestamp
    ) async throws(EntitlementError) -> BoxGroup? {
        try await self.groups(viewer.selection, now: now).groups.first { $0.device.handle == handle }
    }
}
