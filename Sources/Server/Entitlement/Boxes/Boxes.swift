package import Clientless
import Cryptography

/// The boxes of one viewer, for the viewer: which are signed in, and the end of one of them.
///
/// A box learns only of boxes that signed in with the same account, at the same provider, for the requestor that asks.
/// What another programmer's requestors obtained is not theirs to see, and a trial or a skipped login is no account.
/// A viewer who signs in on a page sees all of their boxes (``list(of:now:)``).
package final class Boxes: Sendable {
    /// The most boxes of a list.
    package static let mostListed = 50
    /// The most current sign-ins that are read for a list: more than any household has.
    static let mostRead = 4000
    /// How many of them are read at once.
    private static let page = 200
    /// What the audit log calls the end of a box by its viewer.
    static let signOutAction = "box.sign-out"

    let store: any Store
    let keys: ServerKeys
    let signIns: SignIns
    /// Is told what ends, once the store has it.
    let onEnding: @Sendable (Ending) -> Void

    init(
        store: any Store, keys: ServerKeys, signIns: SignIns, onEnding: @escaping @Sendable (Ending) -> Void
    ) {
        self.store = store
        self.keys = keys
        self.signIns = signIns
        self.onEnding = onEnding
    }

    /// The boxes of the viewer behind a sign-in.
    /// - Parameters:
    ///   - own: the current sign-in of the box that asks.
    ///   - requestor: that it asks for.
    /// - Throws: `storeUnavailable`.
    package func list(
        for own: AuthNRecord, requestor: RequestorID, now: Timestamp
    ) async throws(EntitlementError) -> BoxList {
        let found = try await self.others(of: own, requestor: requestor, now: now)
        var boxes = [self.listed(own, for: requestor, seen: now, isCaller: true)]
        for record in found.records.prefix(Self.mostListed - 1) {
            let seen = try await self.lastDecisions(on: record.context.device)[record.id]
            boxes.append(self.listed(record, for: requestor, seen: seen, isCaller: false))
        }
        return BoxList(boxes: boxes, hasMore: found.isCut || boxes.count <= found.records.count)
    }

    /// Ends the sign-in of another box of the viewer, as that box's own logout does, and keeps in the audit log which
    /// box asked. Its own sign-in a box ends with a logout.
    /// - Parameter handle: as ``list(for:requestor:now:)`` gave it.
    /// - Returns: whether there was such a box.
    /// - Throws: `storeUnavailable`.
    package func signOut(
        _ handle: BoxHandle, for own: AuthNRecord, requestor: RequestorID, now: Timestamp
    ) async throws(EntitlementError) -> Bool {
        let others = try await self.others(of: own, requestor: requestor, now: now).records
        let found = others.first { record in
            constantTimeEqual(self.handle(of: record, for: requestor).text.utf8, handle.text.utf8)
        }
        guard let record = found else { return false }
        let device = Operations.auditName(of: own.context.device)
        let entry = AuditEntry(
            time: now, actor: "viewer \(own.userID.prefix(16)) on \(device)", action: Self.signOutAction,
            subject: Operations.auditName(of: record.id))
        // There is no browser to end the provider's session in.
        _ = try await self.signIns.logout(record, audit: entry, now: now)
        self.onEnding(Ending(.signIn(record.id), at: now))
        return true
    }

    /// The current sign-ins of the viewer's other boxes, newest first.
    private func others(
        of own: AuthNRecord, requestor: RequestorID, now: Timestamp
    ) async throws(EntitlementError) -> (records: [AuthNRecord], isCut: Bool) {
        guard Self.isOfAccount(own) else { return ([], false) }
        var selection = AuthNSelection()
        selection.mvpd = own.mvpd
        selection.userID = own.userID
        selection.requestor = requestor
        let (records, isCut) = try await self.current(selection, now: now)
        return (records.filter { $0.id != own.id }, isCut)
    }

    /// The selected sign-ins of accounts that are current, newest first.
    func current(
        _ selection: AuthNSelection, now: Timestamp
    ) async throws(EntitlementError) -> (records: [AuthNRecord], isCut: Bool) {
        var selection = selection
        selection.endingAfter = now
        var read: [AuthNRecord] = []
        var isCut = true
        while isCut, read.count < Self.mostRead {
            let page = try await stored(
                await self.store.authentications(selection, after: read.last?.id, limit: Self.page))
            read += page
            isCut = page.count == Self.page
        }
        let records = read.filter(Self.isOfAccount).sorted { ($0.created, $0.id.text) > ($1.created, $1.id.text) }
        return (records, isCut)
    }

    /// Whether a viewer signed in with an account. The viewers of trials and of skipped logins may be anyone.
    static func isOfAccount(_ record: AuthNRecord) -> Bool {
        switch record.origin {
        case .regular, .platform: true
        case .temporaryPass, .degraded: false
        }
    }

    /// When the newest decision was made that each sign-in of a device has. What boxes ask is not noted for this: a write
    /// with each call would cost more than the list is worth.
    func lastDecisions(on device: DeviceHash) async throws(EntitlementError) -> [AuthNID: Timestamp] {
        try await stored(await self.store.lastDecisions(on: device))
    }

    private func listed(
        _ record: AuthNRecord, for requestor: RequestorID, seen: Timestamp?, isCaller: Bool
    ) -> ViewerBox {
        // A box whose sealed session cannot be read is listed all the same: without a name.
        let box = (try? self.signIns.keptSession(of: record))?.box
        return ViewerBox(
            handle: self.handle(of: record, for: requestor), name: box?.name, model: box?.model,
            since: record.created, seen: seen, until: record.expires, isCaller: isCaller)
    }

    /// Says nothing of device or record: both are known to their box alone.
    private func handle(of record: AuthNRecord, for requestor: RequestorID) -> BoxHandle {
        BoxHandle(digest: self.keys.tokens.hash(of: "box/\(requestor)/\(record.id.text)"))
    }
}

/// What a viewer's boxes are called in a list: 16 lower-case hex digits, the same for as long as the box is signed in.
package struct BoxHandle: Hashable, Sendable {
    package let text: String

    /// - Returns: `nil` for what is no handle.
    package init?(_ text: String) {
        guard text.utf8.count == 16, text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        self.text = text
    }

    init(digest: [UInt8]) {
        self.text = Hex.encode(digest.prefix(8))
    }
}

/// A box that a viewer is signed in on.
package struct ViewerBox: Hashable, Sendable {
    package let handle: BoxHandle
    /// What the box called itself; `nil` where it said nothing.
    package let name: String?
    package let model: String?
    /// When the viewer signed in there.
    package let since: Timestamp
    /// When it last asked for something to play; `nil` where it did not for as long as decisions are kept.
    package let seen: Timestamp?
    package let until: Timestamp
    /// Whether it is the box that asks.
    package let isCaller: Bool
}

/// The boxes of a viewer: the one that asks first, then the others, newest sign-in first.
package struct BoxList: Hashable, Sendable {
    package let boxes: [ViewerBox]
    /// Whether the viewer has boxes beyond these.
    package let hasMore: Bool
}
