package import Clientless

package enum CodePurpose: Hashable, Sendable {
    /// Sign a box in with it, or decline it: the code has to be open.
    case completing
    /// Learn what became of it: one that was completed will do.
    case following
}

extension GuessOutcome {
    /// The one definition of a wrong guess (rest-v1 24.4): the code is unknown, another requestor's or device's, expired,
    /// declined, cancelled, or, for callers who want to complete it, used.
    ///
    /// - Parameter state: the code's; `nil` when there is no such code.
    init(_ state: RegistrationCode.State?, isForeign: Bool = false, for purpose: CodePurpose) {
        switch (state, purpose) {
        case (nil, _): self = .unknown
        case _ where isForeign: self = .ended
        case (.waiting, _), (.opened, _), (.loggingIn, _), (.confirming, _), (.completed, .following): self = .right
        case (.completed, .completing), (.declined, _), (.cancelled, _), (.expired, _): self = .ended
        }
    }
}

extension EntitlementError {
    /// A guess that may not be made now, as callers of the domain see it.
    init(_ refusal: GuessRefusal) {
        self.init(.tooManyAttempts, retryAfter: refusal.wait, detail: "limit of the \(refusal.scope.rawValue)")
        self.isForEveryone = refusal.scope == .service
    }
}

// Every look at a code that a caller names is counted against the caller here, for all faces.
extension Codes {
    /// The record of a code that a caller names, if it is good for `purpose`.
    ///
    /// - Parameter requestors: whose code it has to be; `nil` takes any, as the server's own pages do.
    /// - Throws: `codeUnknown` for a code that is unknown, of another requestor, cancelled or expired; `codeUsed`,
    ///   `codeDeclined`; `tooManyAttempts` before anything is looked up; `storeUnavailable`. A code of a viewer who looks
    ///   at their boxes is unknown to every caller.
    package func lookUp(
        _ code: RegistrationCodeText, of requestors: [RequestorID]?, for purpose: CodePurpose, by guesser: Guesser,
        now: Timestamp
    ) async throws(EntitlementError) -> RegistrationRecord {
        let record: RegistrationRecord?
        let isHidden: Bool
        switch self.guessing.admit(guesser, code: code, at: self.uptime()) {
        case .refused(let refusal): throw EntitlementError(refusal)
        case .knownWrong: throw EntitlementError(.codeUnknown)
        case .lookUp(let reservation):
            if let known = self.memory.record(of: code, now: now) {
                record = known
            } else {
                let ticket = self.memory.records.ticket(for: code)
                record = try await self.storedCode(code)
                if let record { self.memory.remember(record, since: ticket) }
            }
            isHidden = record.map { requestors?.contains($0.requestor) == false || $0.isOfBoxList } ?? false
            let outcome = GuessOutcome(record?.life.state(at: now), isForeign: isHidden, for: purpose)
            reservation.settle(outcome, at: self.uptime())
        }
        guard let record, !isHidden else { throw EntitlementError(.codeUnknown) }
        switch (record.life.state(at: now), purpose) {
        case (.waiting, _), (.opened, _), (.loggingIn, _), (.confirming, _), (.completed, .following): return record
        case (.completed, .completing): throw EntitlementError(.codeUsed)
        case (.declined, _): throw EntitlementError(.codeDeclined)
        case (.cancelled, _), (.expired, _): throw EntitlementError(.codeUnknown)
        }
    }

    /// Erases a code; tokens obtained with it stay. Erasing an unknown code is no error (rest-v1 11.3).
    ///
    /// A credential is in every box, so of a strict requestor only the device that asked for a code may erase it.
    /// - Parameter device: the one that asks, if the call names it.
    /// - Throws: `tooManyAttempts` before anything is looked up, `storeUnavailable`.
    package func deleteCode(
        _ code: RegistrationCodeText, of requestors: [RequestorID], device: DeviceHash?, by guesser: Guesser,
        now: Timestamp
    ) async throws(EntitlementError) {
        let record: RegistrationRecord
        do {
            record = try await self.lookUp(code, of: requestors, for: .following, by: guesser, now: now)
        } catch {
            guard [.codeUnknown, .codeUsed, .codeDeclined].contains(error.code) else { throw error }
            return
        }
        let isStrict = self.catalogue.current.isStrict(record.requestor)
        guard device.map({ $0 == record.context.device }) ?? !isStrict else { return }
        _ = try await stored(await self.store.deleteCode(code, of: record.requestor))
        self.memory.announce(code: code)
    }

    /// Answers a poll by code from memory, and counts it where it was a wrong guess.
    func settleInMemory(
        _ code: RegistrationCodeText, _ outcome: GuessOutcome, by guesser: Guesser
    ) throws(EntitlementError) -> Bool {
        switch outcome {
        case .right:
            // While nothing is closed this is a look at a clock and a number.
            if let refusal = self.guessing.refusal(of: guesser, code: code, at: self.uptime()) {
                throw EntitlementError(refusal)
            }
            return true
        case .ended, .unknown:
            switch self.guessing.admit(guesser, code: code, at: self.uptime()) {
            case .refused(let refusal): throw EntitlementError(refusal)
            case .knownWrong: return false
            case .lookUp(let reservation):
                reservation.settle(outcome, at: self.uptime())
                return true
            }
        }
    }
}
