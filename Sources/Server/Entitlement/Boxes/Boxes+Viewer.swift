package import Clientless
import Cryptography

// The boxes of a viewer who signed in on a page: whole boxes, whatever they are signed in for there.
extension Boxes {
    /// The boxes of a viewer, the newest sign-in first.
    /// - Throws: `storeUnavailable`.
    package func list(
        of viewer: Viewer, now: Timestamp
    ) async throws(EntitlementError) -> (boxes: [OwnBox], hasMore: Bool) {
        let (groups, isCut) = try await self.groups(of: viewer, now: now)
        var boxes: [OwnBox] = []
        for group in groups.prefix(Self.mostListed) { boxes.append(try await self.box(group, of: viewer)) }
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
                record.sealedSession = try self.keys.sealed(kept, in: .session(of: record))
            }
        }
        return true
    }

    /// Signs one box of a viewer out, for everything they are signed in for there.
    /// - Returns: the box as it was; `nil` when there is none.
    /// - Throws: `storeUnavailable`.
    package func signOut(
        _ handle: BoxHandle, of viewer: Viewer, now: Timestamp
    ) async throws(EntitlementError) -> OwnBox? {
        guard let group = try await self.group(handle, of: viewer, now: now) else { return nil }
        let box = try await self.box(group, of: viewer)
        try await self.end(group.records, viewer, now: now)
        return box
    }

    /// Signs all boxes of a viewer out.
    /// - Throws: `storeUnavailable`; what ended until then stays ended.
    package func signOutAll(of viewer: Viewer, now: Timestamp) async throws(EntitlementError) {
        // A round ends as many sign-ins as are read at once.
        for _ in 0..<64 {
            let (groups, isCut) = try await self.groups(of: viewer, now: now)
            for group in groups { try await self.end(group.records, viewer, now: now) }
            if !isCut { break }
        }
    }

    /// The box that a message told of.
    /// - Parameter notice: as ``AddedBox/notice`` was.
    /// - Returns: `nil` when it is signed out, and for a notice that this server did not write.
    /// - Throws: `storeUnavailable`.
    package func noticed(_ notice: String, now: Timestamp) async throws(EntitlementError) -> NoticedBox? {
        guard let record = try await self.record(of: notice, now: now) else { return nil }
        let box = (try? self.signIns.keptSession(of: record))?.box
        return NoticedBox(
            name: box?.name, model: box?.model, network: box?.network, provider: record.mvpd,
            requestor: record.requestor, since: record.created)
    }

    /// Signs a box out that its viewer says is not theirs, for everything it is signed in for with their account.
    /// Idempotent.
    /// - Throws: `storeUnavailable`.
    package func disown(_ notice: String, now: Timestamp) async throws(EntitlementError) {
        guard let record = try await self.record(of: notice, now: now) else { return }
        let viewer = Viewer(mvpd: record.mvpd, userID: record.userID)
        let group = try await self.groups(of: viewer, now: now).groups.first { $0.device == record.context.device }
        try await self.end(group?.records ?? [record], viewer, now: now)
    }

    private func record(of notice: String, now: Timestamp) async throws(EntitlementError) -> AuthNRecord? {
        guard let token = BoxNoticeToken(notice, key: self.keys.tokens) else { return nil }
        let record = try await stored(await self.store.authentication(token.id))
        return record.flatMap { $0.isCurrent(at: now) && Self.isOfAccount($0) ? $0 : nil }
    }
}

/// The sign-ins of one box, the newest first.
private struct BoxGroup {
    let device: DeviceHash
    var records: [AuthNRecord]
}

extension Boxes {
    /// The current sign-ins of a viewer by box, the box with the newest first.
    private func groups(
        of viewer: Viewer, now: Timestamp
    ) async throws(EntitlementError) -> (groups: [BoxGroup], isCut: Bool) {
        let (records, isCut) = try await self.current(viewer.selection, now: now)
        var groups: [BoxGroup] = []
        var places: [DeviceHash: Int] = [:]
        for record in records {
            if let place = places[record.context.device] {
                groups[place].records.append(record)
            } else {
                places[record.context.device] = groups.count
                groups.append(BoxGroup(device: record.context.device, records: [record]))
            }
        }
        return (groups, isCut)
    }

    private func group(
        _ handle: BoxHandle, of viewer: Viewer, now: Timestamp
    ) async throws(EntitlementError) -> BoxGroup? {
        try await self.groups(of: viewer, now: now).groups.first { group in
            constantTimeEqual(self.handle(of: group.device, viewer).text.utf8, handle.text.utf8)
        }
    }

    private func box(_ group: BoxGroup, of viewer: Viewer) async throws(EntitlementError) -> OwnBox {
        // A box whose sealed session cannot be read is listed all the same: without a name.
        let kept = group.records.compactMap { (try? self.signIns.keptSession(of: $0))?.box }
        let decisions = try await self.lastDecisions(on: group.device)
        let seen = group.records.compactMap { decisions[$0.id] }.max()
        var requestors: [RequestorID] = []
        for record in group.records where !requestors.contains(record.requestor) { requestors.append(record.requestor) }
        let newest = group.records[0]
        return OwnBox(
            handle: self.handle(of: group.device, viewer), name: kept.compactMap(\.name).first,
            model: kept.compactMap(\.model).first, network: kept.compactMap(\.network).first, requestors: requestors,
            since: group.records.map(\.created).min() ?? newest.created, seen: seen,
            until: group.records.map(\.expires).max() ?? newest.expires, isReadOut: kept.contains { $0.isReadOut })
    }

    /// Says nothing of the device, which is known to the box alone, and is of no use to another viewer.
    private func handle(of device: DeviceHash, _ viewer: Viewer) -> BoxHandle {
        BoxHandle(digest: self.keys.tokens.hash(of: "own-box/\(viewer.userID)/\(Hex.encode(device.bytes))"))
    }

    private func end(
        _ records: [AuthNRecord], _ viewer: Viewer, now: Timestamp
    ) async throws(EntitlementError) {
        for record in records {
            let entry = AuditEntry(
                time: now, actor: "\(viewer.auditName) on a page", action: Self.signOutAction,
                subject: Operations.auditName(of: record.id))
            // The browser has no session at the provider that came with this box.
            _ = try await self.signIns.logout(record, audit: entry, now: now)
            self.onEnding(Ending(.signIn(record.id), at: now))
        }
    }
}
