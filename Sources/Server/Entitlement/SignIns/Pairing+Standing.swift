package import Clientless

// "Signed in yet?", by code and by device. The twin that looks into memory alone answers nearly every poll.
extension Pairing {
    /// What `code` is to `requestor`, from memory.
    /// - Parameter device: who asks, where that has to be the device the code is bound to (sdk-services 3).
    /// - Returns: none when memory does not know; the answer is then with ``standing(of:requestor:now:)``.
    package func standingInMemory(
        of code: RegistrationCodeText, requestor: RequestorID, device: DeviceHash? = nil, now: Timestamp
    ) -> CodeStanding? {
        guard let live = self.codes[code] else { return nil }
        guard live.requestor == requestor, device == nil || live.device == device else { return .unknown }
        guard case .completed(let authentication) = live.life.state(at: now) else {
            return Self.standing(live.life.state(at: now))
        }
        guard let records = self.devices[live.device] else { return nil }
        return self.standing(of: authentication, requestor: requestor, among: records, now: now)
    }

    /// What `code` is to `requestor`.
    /// - Parameter device: who asks, where that has to be the device the code is bound to (sdk-services 3).
    /// - Throws: `storeUnavailable`.
    package func standing(
        of code: RegistrationCodeText, requestor: RequestorID, device: DeviceHash? = nil, now: Timestamp
    ) async throws(EntitlementError) -> CodeStanding {
        let live: LiveCode
        if let known = self.codes[code] {
            live = known
        } else {
            let ticket = self.codes.ticket(for: code)
            // An unknown code is not remembered: guesses must not push out the codes of boxes.
            guard let record = try await self.storedCode(code) else { return .unknown }
            live = LiveCode(record)
            self.codes.remember(live, for: code, since: ticket)
        }
        guard live.requestor == requestor, device == nil || live.device == device else { return .unknown }
        guard case .completed(let authentication) = live.life.state(at: now) else {
            return Self.standing(live.life.state(at: now))
        }
        let records = try await self.authentications(of: live.device)
        return self.standing(of: authentication, requestor: requestor, among: records, now: now)
    }

    /// What the device is to `requestor`, from memory.
    /// - Returns: none when memory does not know; the answer is then with ``standing(of:requestor:now:)``.
    package func standingInMemory(
        of context: DeviceContext, requestor: RequestorID, now: Timestamp
    ) -> DeviceStanding? {
        self.devices[context.device].map { self.standing(of: context, requestor: requestor, among: $0, now: now) }
    }

    /// What the device is to `requestor`.
    /// - Throws: `storeUnavailable`.
    package func standing(
        of context: DeviceContext, requestor: RequestorID, now: Timestamp
    ) async throws(EntitlementError) -> DeviceStanding {
        let records = try await self.authentications(of: context.device)
        return self.standing(of: context, requestor: requestor, among: records, now: now)
    }

    /// The sign-in of a device at one provider, if it counts for `requestor` now (sdk-services 3).
    /// - Throws: `storeUnavailable`.
    package func currentAuthentication(
        _ context: DeviceContext, requestor: RequestorID, mvpd: MVPDID, now: Timestamp
    ) async throws(EntitlementError) -> AuthNRecord? {
        let records = try await self.authentications(of: context.device).filter { $0.mvpd == mvpd }
        guard case .signedIn(let record) = self.standing(of: context, requestor: requestor, among: records, now: now)
        else { return nil }
        return record
    }

    /// All AuthN records of a device, newest first.
    func authentications(of device: DeviceHash) async throws(EntitlementError) -> [AuthNRecord] {
        if let known = self.devices[device] { return known }
        let ticket = self.devices.ticket(for: device)
        let records: [AuthNRecord]
        do {
            records = try await self.store.authentications(of: device)
        } catch {
            throw EntitlementError(error)
        }
        self.devices.remember(records, for: device, since: ticket)
        return records
    }

    /// Which of a device's records, newest first, counts for a request (rest-v1 6.2, 6.3).
    private func standing(
        of context: DeviceContext, requestor: RequestorID, among records: [AuthNRecord], now: Timestamp
    ) -> DeviceStanding {
        var newestExpired: AuthNRecord?
        for record in records where context.admits(record.context) {
            switch self.standing(of: record, requestor: requestor, now: now) {
            case .signedIn(let record): return .signedIn(record)
            case .expired(let record): newestExpired = newestExpired ?? record
            case .never: continue
            }
        }
        return newestExpired.map { .expired($0) } ?? .never
    }

    private func standing(
        of authentication: AuthNID, requestor: RequestorID, among records: [AuthNRecord], now: Timestamp
    ) -> CodeStanding {
        guard let record = records.first(where: { $0.id == authentication }) else { return .signInGone }
        switch self.standing(of: record, requestor: requestor, now: now) {
        case .signedIn(let record): return .signedIn(record)
        case .expired(let record): return .signInExpired(record)
        case .never: return .signInGone
        }
    }

    private static func standing(_ state: RegistrationCode.State) -> CodeStanding {
        switch state {
        case .waiting(let refusal): .open(.waiting, refusal: refusal)
        case .loggingIn: .open(.loggingIn, refusal: nil)
        case .confirming: .open(.confirming, refusal: nil)
        case .completed: .signInGone
        case .declined: .declined
        case .cancelled: .cancelled
        case .expired: .expired
        }
    }
}
