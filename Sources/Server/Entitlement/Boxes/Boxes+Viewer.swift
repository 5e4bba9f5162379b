package import Clientless

// The boxes of a viewer who signed in on a page: whole boxes, whatever they are signed in for there.
extension Boxes {
    /// The boxes of a viewer, the newest sign-in first.
    package func list(
        of viewer: Viewer, now: Timestamp
    ) async throws(EntitlementError) -> (boxes: [OwnBox], hasMore: Bool) {
        let (groups, isCut) = try await self.groups(of: viewer, now: now)
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
    package func noticed(_ notice: String, now: Timestamp) async throws(EntitlementError) -> NoticedBox? {
        guard let record = try await self.record(of: notice, now: now) else { return nil }
        let box = (try? self.signIns.keptSession(of: record))?.box
        return NoticedBox(
            name: box?.name, model: box?.model, network: box?.network, provider: record.mvpd,
            requestor: record.requestor, since: record.created)
    }

    /// Signs a box out that its viewer says is not theirs, for everything it is signed in for with their account.
    /// Idempotent.
    package func disown(_ notice: String, now: Timestamp) async throws(EntitlementError) {
        guard let record = try await self.record(of: notice, now: now) else { return }
        let viewer = Viewer(mvpd: record.mvpd, userID: record.userID)
        let group = try await self.groups(of: viewer, now: now).groups.first { $0.device == record.context.device }
        try await self.end(group?.records ?? [record], viewer, now: now)
    }

    private func record(of notice: String, now: Timestamp) async throws(EntitlementError) -> AuthNRecord? {
        guard let token = BoxNoticeToken(notice, key: self.keys.tokens) else { return nil }
        let record = try await stored(await self.store.authentication(token.id))
        return record.flatMap { $0.isCurrent(at: now) && $0.origin.isOfAccount ? $0 : nil }
    }
}

extension Boxes {
    private func groups(
        of viewer: Viewer, now: Timestamp
    ) async throws(EntitlementError) -> (groups: [BoxGroup], isCut: Bool) {
        try await self.groups(viewer.selection, now: now)
    }

    private func group(
        _ handle: BoxHandle, of viewer: Viewer, now: Timestamp
    ) async throws(EntitlementError) -> BoxGroup? {
        try await self.groups(of: viewer, now: now).groups.first { $0.device.handle == handle }
    }

    private func end(_ records: [AuthNRecord], _ viewer: Viewer, now: Timestamp) async throws(EntitlementError) {
        try await self.end(records, by: "\(viewer.auditName) on a page", now: now)
    }
}
