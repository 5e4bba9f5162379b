package import Clientless

// "Signed in yet?", by device. The twin that looks into memory alone answers nearly every poll.
extension SignIns {
    /// The standing of the device with `requestor`, from memory.
    /// - Returns: `nil` when memory does not know; ``deviceStanding(of:requestor:now:)`` then does.
    package func deviceStandingInMemory(
        of context: DeviceContext, requestor: RequestorID, now: Timestamp
    ) -> DeviceStanding? {
        guard let known = self.memory.recent(context.device) else { return nil }
        let standing = self.deviceStanding(of: context, requestor: requestor, among: known.records, now: now)
        guard case .signedIn = standing else { return known.isWhole ? standing : nil }
        return standing
    }

    /// The sign-in of the device that memory knows to count for `requestor`; `nil` if memory may not be trusted.
    func rememberedSignIn(of context: DeviceContext, requestor: RequestorID, now: Timestamp) -> AuthNRecord? {
        guard self.trustsMemory, let known = self.memory.recent(context.device) else { return nil }
        for var record in known.records where context.admits(record.context) {
            guard let end = self.end(of: record, for: requestor, now: now), now < end else { continue }
            record.expires = end
            self.memory.handovers.noteTold(record.id)
            return record
        }
        return nil
    }

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
        return self.deviceStanding(of: context, requestor: requestor, among: records, now: now)
    }

    /// The sign-in of a device, if it counts for `requestor` now (sdk-services 3).
    /// - Parameter mvpd: the provider it has to be at; `nil` means any.
    package func currentSignIn(
        _ context: DeviceContext, requestor: RequestorID, mvpd: MVPDID?, now: Timestamp
    ) async throws(EntitlementError) -> AuthNRecord? {
        try await self.firstAuthentication(of: context.device) { records -> AuthNRecord? in
            let records = records.filter { mvpd == nil || $0.mvpd == mvpd }
            guard
                case .signedIn(let record) = self.deviceStanding(
                    of: context, requestor: requestor, among: records, now: now)
            else { return nil }
            return record
        }
    }

    /// Whether a sign-in that memory holds may be told without a look into the store. It may not if another node may
    /// have replaced or ended it a moment ago: the box that was told so there asks here next.
    package var trustsMemory: Bool { !self.store.isShared }

    /// The record that `choose` finds among a device's AuthN records, newest first: those in memory, and when it finds
    /// nothing there, those of the store. A sign-in of a moment ago, on another node, is in the store alone. Each of
    /// several nodes asks the store first, and its memory if the store does not answer.
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

    /// One AuthN record of a device.
    func authentication(_ id: AuthNID, of device: DeviceHash) async throws(EntitlementError) -> AuthNRecord? {
        try await self.firstAuthentication(of: device) { records in records.first { $0.id == id } }
    }

    /// All AuthN records of a device, newest first, read from the store whatever memory knows.
    func storedAuthentications(of device: DeviceHash) async throws(EntitlementError) -> [AuthNRecord] {
        let ticket = self.memory.devices.ticket(for: device)
        let records = try await stored(
            await self.store.authentications(of: device, limit: AuthNRecord.recordsPerDevice))
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
        let standing = self.standing(
            among: records.lazy.filter { context.admits($0.context) }, requestor: requestor, now: now)
        if case .signedIn(let record) = standing { self.memory.handovers.noteTold(record.id) }
        return standing
    }

    /// The first of records, newest first, that counts for `requestor`; else the newest that is over.
    func standing(among records: some Sequence<AuthNRecord>, requestor: RequestorID, now: Timestamp) -> DeviceStanding {
        var newestExpired: DeviceStanding?
        for record in records {
            let standing = self.recordStanding(of: record, requestor: requestor, now: now)
            switch standing {
            case .signedIn: return standing
            case .expired: newestExpired = newestExpired ?? standing
            case .never: continue
            }
        }
        return newestExpired ?? .never
    }
}

/// The standing of a device with a requestor: the answer to "signed in?" (rest-v1 14).
package enum DeviceStanding: Hashable, Sendable {
    /// No record that this requestor may use.
    case never
    /// The newest record that this requestor could have used is over.
    indirect case expired(AuthNRecord)
    indirect case signedIn(AuthNRecord)
}
