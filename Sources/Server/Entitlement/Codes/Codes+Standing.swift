package import Clientless

// "Signed in yet?", by code. The twin that looks into memory alone answers nearly every poll.
extension Codes {
    /// The standing of `code` with `requestor`, from memory.
    /// - Parameters:
    ///   - device: the device that asks, where it has to be the one the code is bound to (sdk-services 3). That device
    ///     is never refused, nor counted.
    ///   - guesser: who asks; a code that is not theirs to ask for counts (rest-v1 24.4).
    /// - Returns: `nil` when memory does not know; ``codeStanding(of:requestor:device:by:now:)`` then does.
    /// - Throws: `tooManyAttempts`.
    package func codeStandingInMemory(
        of code: RegistrationCodeText, requestor: RequestorID, device: DeviceHash? = nil, by guesser: Guesser,
        now: Timestamp
    ) throws(EntitlementError) -> CodeStanding? {
        guard let live = self.memory.known(code) else { return nil }
        let state = live.life.state(at: now)
        if !Self.isOwn(live, of: requestor, device) {
            let isForeign = Self.isForeign(live, to: requestor, device)
            let outcome = GuessOutcome(state, isForeign: isForeign, for: .following)
            guard try self.settleInMemory(code, outcome, by: guesser), !isForeign else { return .unknown }
        }
        guard case .completed(let authentication) = state else { return CodeStanding(state) }
        guard let records = self.memory.known(live.device) else { return nil }
        switch self.codeStanding(by: authentication, requestor: requestor, among: records, now: now) {
        // Memory may be older than the sign-in that another node has just made.
        case .signInGone: return nil
        case let standing: return standing
        }
    }

    /// The standing of `code` with `requestor`.
    /// - Parameters: as ``codeStandingInMemory(of:requestor:device:by:now:)`` has them.
    /// - Throws: `tooManyAttempts`, before anything is looked up but whether the code is the device's own;
    ///   `storeUnavailable`.
    package func codeStanding(
        of code: RegistrationCodeText, requestor: RequestorID, device: DeviceHash? = nil, by guesser: Guesser,
        now: Timestamp
    ) async throws(EntitlementError) -> CodeStanding {
        if let live = self.memory.known(code), Self.isOwn(live, of: requestor, device) {
            return try await self.codeStanding(of: live, requestor: requestor, now: now)
        }
        switch self.guessing.admit(guesser, code: code, at: self.uptime()) {
        case .refused(let refusal):
            guard let live = try await self.ownCode(code, requestor, device) else { throw EntitlementError(refusal) }
            return try await self.codeStanding(of: live, requestor: requestor, now: now)
        case .knownWrong:
            guard let live = try await self.ownCode(code, requestor, device) else { return .unknown }
            return try await self.codeStanding(of: live, requestor: requestor, now: now)
        case .lookUp(let reservation):
            let live = try await self.liveCode(code)
            if let live, Self.isOwn(live, of: requestor, device) {
                reservation.settle(.right, at: self.uptime())
                return try await self.codeStanding(of: live, requestor: requestor, now: now)
            }
            let isForeign = live.map { Self.isForeign($0, to: requestor, device) } ?? false
            let outcome = GuessOutcome(live?.life.state(at: now), isForeign: isForeign, for: .following)
            reservation.settle(outcome, at: self.uptime())
            guard let live, !isForeign else { return .unknown }
            return try await self.codeStanding(of: live, requestor: requestor, now: now)
        }
    }

    private func codeStanding(
        of live: LiveCode, requestor: RequestorID, now: Timestamp
    ) async throws(EntitlementError) -> CodeStanding {
        guard case .completed(let authentication) = live.life.state(at: now) else {
            return CodeStanding(live.life.state(at: now))
        }
        let standing = try await self.signIns.firstAuthentication(of: live.device) { records -> CodeStanding? in
            switch self.codeStanding(by: authentication, requestor: requestor, among: records, now: now) {
            case .signInGone: nil
            case let standing: standing
            }
        }
        return standing ?? .signInGone
    }

    private static func isForeign(_ code: LiveCode, to requestor: RequestorID, _ device: DeviceHash?) -> Bool {
        code.requestor != requestor || device.map { $0 != code.device } ?? false
    }

    /// Whether the caller names the device that asked for the code: a guesser does not know it.
    private static func isOwn(_ code: LiveCode, of requestor: RequestorID, _ device: DeviceHash?) -> Bool {
        device == code.device && requestor == code.requestor
    }

    /// The code, if it is the device's own; not looked for if the caller names no device.
    private func ownCode(
        _ code: RegistrationCodeText, _ requestor: RequestorID, _ device: DeviceHash?
    ) async throws(EntitlementError) -> LiveCode? {
        guard device != nil, let live = try await self.liveCode(code), Self.isOwn(live, of: requestor, device)
        else { return nil }
        return live
    }

    private func liveCode(_ code: RegistrationCodeText) async throws(EntitlementError) -> LiveCode? {
        if let known = self.memory.known(code) { return known }
        let ticket = self.memory.codes.ticket(for: code)
        // An unknown code is not remembered: guesses must not push out the codes of boxes.
        guard let record = try await self.storedCode(code) else { return nil }
        let live = LiveCode(record)
        self.memory.codes.remember(live, for: code, since: ticket)
        return live
    }

    /// The standing of a completed code, by the sign-in it led to.
    private func codeStanding(
        by authentication: AuthNID, requestor: RequestorID, among records: [AuthNRecord], now: Timestamp
    ) -> CodeStanding {
        guard let record = records.first(where: { $0.id == authentication }) else { return .signInGone }
        switch self.signIns.recordStanding(of: record, requestor: requestor, now: now) {
        case .signedIn(let record):
            self.memory.handovers.noteTold(record.id)
            return .signedIn(record)
        case .expired(let record): return .signInExpired(record)
        case .never: return .signInGone
        }
    }
}

extension CodeStanding {
    /// The standing of a code without a sign-in; a completed one has lost its sign-in.
    fileprivate init(_ state: RegistrationCode.State) {
        self =
            switch state {
            case .waiting(let refusal): .open(.waiting, refusal: refusal?.isEmpty == false ? refusal : nil)
            case .opened: .open(.opened, refusal: nil)
            case .loggingIn: .open(.loggingIn, refusal: nil)
            case .confirming: .open(.confirming, refusal: nil)
            case .completed: .signInGone
            case .declined: .declined
            case .cancelled: .cancelled
            case .expired: .expired
            }
    }
}
