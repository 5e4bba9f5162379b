package import Clientless
import Cryptography

/// The boxes of one viewer, for the viewer: which are signed in, and the end of one of them.
///
/// A box learns only of boxes that signed in with the same account, at the same provider, for the requestor that asks.
/// Sign-ins by another programmer's requestors are hidden from them, and a trial or a skipped login is no account.
/// A viewer who signs in on a page sees all of their boxes (``list(of:now:)``).
package struct Boxes: DomainPart {
    package static let mostListed = 50
    /// The most current sign-ins that are read for a list: more than any household has.
    static let mostRead = 4000
    private static let page = 200
    static let signOutAction = "box.sign-out"

    let parts: DomainParts
    let signIns: SignIns

    /// The boxes of the viewer behind a sign-in: the one that asks first, then the others, the newest sign-in first.
    /// - Parameters:
    ///   - own: the current sign-in of the box that asks.
    ///   - requestor: that it asks for.
    package func list(
        for own: AuthNRecord, requestor: RequestorID, now: Timestamp
    ) async throws(EntitlementError) -> BoxList {
        let (groups, isCut) = try await self.groups(besides: own, for: requestor, now: now)
        let mine = groups.first { $0.device == own.context.device } ?? (own.context.device, [own])
        let others = groups.filter { $0.device != mine.device }
        var boxes = [try await self.box(mine, seen: now)]
        for group in others.prefix(Self.mostListed - 1) { boxes.append(try await self.box(group)) }
        return (boxes, isCut || boxes.count <= others.count)
    }

    /// Ends the sign-ins of another box of the viewer, as that box's own logout does, and keeps in the audit log which
    /// box asked. Its own sign-in a box ends with a logout.
    /// - Returns: whether there was such a box.
    package func signOut(
        _ handle: BoxHandle, for own: AuthNRecord, requestor: RequestorID, now: Timestamp
    ) async throws(EntitlementError) -> Bool {
        let groups = try await self.groups(besides: own, for: requestor, now: now).groups
        let found = groups.first { $0.device.handle == handle && $0.device != own.context.device }
        guard let found else { return false }
        let device = Operations.auditName(of: own.context.device)
        try await self.end(found.records, by: "viewer \(own.userID.prefix(16)) on \(device)", now: now)
        return true
    }

    /// The boxes on which the viewer of a sign-in has signed in for `requestor`.
    private func groups(
        besides own: AuthNRecord, for requestor: RequestorID, now: Timestamp
    ) async throws(EntitlementError) -> (groups: [BoxGroup], isCut: Bool) {
        guard own.origin.isOfAccount else { return ([], false) }
        let selection = AuthNSelection(mvpd: own.mvpd, userID: own.userID, requestor: requestor)
        return try await self.groups(selection, now: now)
    }

    /// The selected sign-ins of accounts that are current, by box, the box with the newest first.
    func groups(
        _ selection: AuthNSelection, now: Timestamp
    ) async throws(EntitlementError) -> (groups: [BoxGroup], isCut: Bool) {
        let (records, isCut) = try await self.current(selection, now: now)
        let groups = Dictionary(grouping: records, by: \.context.device).map { ($0, $1) as BoxGroup }
        return (groups.sorted { Self.isNewer($0.records[0], $1.records[0]) }, isCut)
    }

    /// - Parameter seen: when it last asked; `nil` looks for its newest decision. Questions of boxes are not noted for
    ///   this: a write with each call would cost more than the list is worth.
    func box(_ group: BoxGroup, seen: Timestamp? = nil) async throws(EntitlementError) -> OwnBox {
        // A box whose sealed session cannot be read is listed all the same: without a name.
        let kept = group.records.compactMap { (try? self.signIns.keptSession(of: $0))?.box }
        var seen = seen
        if seen == nil {
            let decisions = try await stored(await self.store.lastDecisions(on: group.device))
            seen = group.records.compactMap { decisions[$0.id] }.max()
        }
        var requestors: [RequestorID] = []
        for record in group.records where !requestors.contains(record.requestor) { requestors.append(record.requestor) }
        let newest = group.records[0]
        return OwnBox(
            handle: group.device.handle, name: kept.compactMap(\.name).first, model: kept.compactMap(\.model).first,
            network: kept.compactMap(\.network).first, requestors: requestors,
            since: group.records.map(\.created).min() ?? newest.created, seen: seen,
            until: group.records.map(\.expires).max() ?? newest.expires, isReadOut: kept.contains { $0.isReadOut })
    }

    /// - Parameter actor: as the audit log names them.
    func end(_ records: [AuthNRecord], by actor: String, now: Timestamp) async throws(EntitlementError) {
        // In the order of ``SignIns/logout(_:requestors:now:)``.
        for record in records.sorted(by: { $0.origin != .regular && $1.origin == .regular }) {
            let entry = AuditEntry(
                time: now, actor: actor, action: Self.signOutAction, subject: Operations.auditName(of: record))
            // No browser has the session at the provider that came with this box.
            try await self.signIns.logout(record, audit: entry, now: now)
            self.onEnding(Ending(.signIn(record.id), at: now))
        }
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
        return (read.filter(\.origin.isOfAccount).sorted(by: Self.isNewer), isCut)
    }

    private static func isNewer(_ one: AuthNRecord, _ other: AuthNRecord) -> Bool {
        (one.created, one.id.text) > (other.created, other.id.text)
    }
}

/// The sign-ins of one box, the newest first; never empty.
typealias BoxGroup = (device: DeviceHash, records: [AuthNRecord])

/// The name of a box for its viewer and for operators, over all its sign-ins: the first 16 hex digits of the keyed hash
/// of its device ID, in two groups that can be read out. It says nothing of the device ID or of a viewer, and opens
/// nothing.
package struct BoxHandle: Hashable, Sendable, CustomStringConvertible {
    /// Such as `45b46c68-05c2ad71`.
    package let description: String

    /// - Parameter text: in any case, with or without hyphens and blanks.
    /// - Returns: `nil` if it is no handle.
    package init?(_ text: String) {
        guard let digits = BoxName(text)?.digits, digits.utf8.count == 16 else { return nil }
        self.description = "\(digits.prefix(8))-\(digits.suffix(8))"
    }

    fileprivate init(_ device: DeviceHash) {
        self.description = Hex.encode(Array(device.bytes.prefix(8)), hyphensBefore: [4])
    }
}

extension DeviceHash {
    package var handle: BoxHandle { BoxHandle(self) }
}

/// The boxes of a viewer: the one that asks first, then the others, newest sign-in first; and whether there are more.
package typealias BoxList = (boxes: [OwnBox], hasMore: Bool)
