package import Clientless

// "Signed in yet?", by device. The twin that looks into memory alone answers nearly every poll.
extension SignIns {
    /// What the device is to `requestor`, from memory.
    /// - Returns: `nil` when memory does not know; ``deviceStanding(of:requestor:now:)`` then does.
    package func deviceStandingInMemory(
        of context: DeviceContext, requestor: RequestorID, now: Timestamp
    ) -> DeviceStanding? {
        guard let known = self.memory.recent(context.device) else { return nil }
        let standing = self.deviceStanding(of: context, requestor: requestor, among: known.records, now: now)
        guard case .signedIn(let record) = standing else { return known.isWhole ? standing : nil }
        // The page of its login may wait at another node, which learns it from the store.
        return self.memory.handovers.isNews(record, now: now) ? nil : standing
    }

    /// What the device is to `requestor`.
    /// - Throws: `storeUnavailable`.
    package func deviceStanding(
        of context: DeviceContext, requestor: RequestorID, now: Timestamp
    ) async throws(EntitlementError) -> DeviceStanding {
        var remembered: AuthNRecord?
        if case .signedIn(let record)? = self.deviceStandingInMemory(of: context, requestor: requestor, now: now) {
            if self.trustsMemory { return .signedIn(record) }
            remembered = record
        }
        let records: [AuthNRecord]
        do throws(EntitlementError) {
            // A box gives up on "not signed in", and memory may be older than another node's sign-in.
            records = try await self.storedAuthentications(of: context.device)
        } catch {
            guard let remembered else { throw error }
            return .signedIn(remembered)
        }
        let standing = self.deviceStanding(of: context, requestor: requestor, among: records, now: now)
        if case .signedIn(let record) = standing { await self.tellOtherNodes(of: record, now: now) }
        return standing
    }

    /// The sign-in of a device, if it counts for `requestor` now (sdk-services 3).
    /// - Parameter mvpd: the provider it has to be at; `nil` means any.
    /// - Throws: `storeUnavailable`.
    package func currentSignIn(
        _ context: DeviceContext, requestor: RequestorID, mvpd: MVPDID?, now: Timestamp
    ) async throws(EntitlementError) -> AuthNRecord? {
        let current = try await self.firstAuthentication(of: context.device) { records -> AuthNRecord? in
            let records = records.filter { mvpd == nil || $0.mvpd == mvpd }
            guard
                case .signedIn(let record) = self.deviceStanding(
                    of: context, requestor: requestor, among: records, now: now)
            else { return nil }
            return record
        }
        if let current { await self.tellOtherNodes(of: current, now: now) }
        return current
    }

    /// Lets a page that waits at another node learn that the box of `record` was told of its sign-in: swaps the code
    /// that led to it once more, as it is. Does nothing where the page would be of this node, or this node said it before.
    func tellOtherNodes(of record: AuthNRecord, now: Timestamp) async {
        guard let code = record.code, self.memory.handovers.takeNews(of: record, now: now) else { return }
        // A courtesy: the box gets its answer also when the store cannot keep this.
        guard let kept = try? await self.store.code(code), case .completed(record.id) = kept.life.storedState
        else { return }
        _ = try? await self.store.replace(
            kept, attempt: nil, creating: nil, replacing: self.replacement, audit: nil)
    }

    /// Whether a sign-in that memory holds may be told without a look into the store. Not where another node may have
    /// replaced or ended it a moment ago: the box that was told so there asks here next.
    package var trustsMemory: Bool { !self.store.isShared }

    /// What `choose` finds among the AuthN records of a device, newest first: those that memory has, and when it finds
    /// nothing there, those of the store. A sign-in of a moment ago, on another node, is in the store alone. Of several
    /// nodes each asks the store first, and memory where that does not answer.
    /// - Throws: `storeUnavailable`.
    func firstAuthentication<Found>(
        of device: DeviceHash, _ choose: ([AuthNRecord]) -> Found?
    ) async throws(EntitlementError) -> Found? {
        let known = self.memory.known(device)
        if self.trustsMemory, let found = known.flatMap(choose) { return found }
        do throws(EntitlementError) {
            return choose(try await self.storedAuthentications(of: device))
        } catch {
            guard let found = known.flatMap(choose) else { throw error }
            return found
        }
    }

    /// All AuthN records of a device, newest first, read from the store whatever memory knows.
    func storedAuthentications(of device: DeviceHash) async throws(EntitlementError) -> [AuthNRecord] {
        let ticket = self.memory.devices.ticket(for: device)
        let records = try await stored(
            await self.store.authentications(of: device, limit: self.replacement.recordsPerDevice))
        self.memory.remember(records, of: device, since: ticket)
        return records
    }

    /// One AuthN record, read from the store.
    func storedAuthentication(_ id: AuthNID) async throws(EntitlementError) -> AuthNRecord? {
        try await stored(await self.store.authentication(id))
    }

    /// Which of a device's records, newest first, counts for a request (rest-v1 6.2, 6.3).
    private func deviceStanding(
        of context: DeviceContext, requestor: RequestorID, among records: [AuthNRecord], now: Timestamp
    ) -> DeviceStanding {
        var newestExpired: AuthNRecord?
        for record in records where context.admits(record.context) {
            switch self.recordStanding(of: record, requestor: requestor, now: now) {
            case .signedIn(let record):
                self.memory.handovers.noteTold(record.id)
                return .signedIn(record)
            case .expired(let record): newestExpired = newestExpired ?? record
            case .never: continue
            }
        }
        return newestExpired.map { .expired($0) } ?? .never
    }

}

/// What a device is to a requestor: the answer to "signed in?" (rest-v1 14).
package enum DeviceStanding: Hashable, Sendable {
    /// No record that this requestor may use.
    case never
    /// The newest record that this requestor could have used is over.
    case expired(AuthNRecord)
    case signedIn(AuthNRecord)
}
