import Clientless

/// What goes into the store together with a code's new life.
struct CodeChange: Sendable {
    var attempt: LoginAttempt?
    var authentication: AuthNRecord?
}

extension Codes {
    /// Reads a code, lets `decide` change it, and swaps it in; again from the start when another caller was quicker.
    ///
    /// - Throws: what `decide` throws, `codeUnknown` when the code is gone, `storeUnavailable`.
    func change(
        _ code: RegistrationCodeText, now: Timestamp,
        decide: (inout RegistrationRecord) throws(EntitlementError) -> CodeChange
    ) async throws(EntitlementError) -> (record: RegistrationRecord, attempt: LoginAttempt?) {
        // A swap is lost only to one that won; a few rounds outlast any number of eager browsers.
        for _ in 0..<16 {
            guard var record = try await self.storedCode(code) else { throw EntitlementError(.codeUnknown) }
            let change = try decide(&record)
            let isSwapped = try await stored(
                await self.store.replace(
                    record, attempt: change.attempt, creating: change.authentication,
                    replacing: self.signIns.replacement))
            guard isSwapped else { continue }
            record.version += 1
            if let authentication = change.authentication {
                self.memory.announce(device: authentication.context.device)
            }
            self.memory.announce(code: code)
            return (record, change.attempt)
        }
        throw EntitlementError(.storeUnavailable, detail: "sixteen swaps of one code were all too late")
    }
}

extension RegistrationCode {
    /// ``apply(_:at:)`` with the refusal in the words of the domain's callers.
    @discardableResult
    mutating func applying(_ event: Event, at now: Timestamp) throws(EntitlementError) -> [Action] {
        do {
            return try self.apply(event, at: now)
        } catch {
            switch error {
            case .alreadyCompleted: throw EntitlementError(.codeUsed)
            case .declined: throw EntitlementError(.codeDeclined)
            case .cancelled, .expired: throw EntitlementError(.codeUnknown)
            }
        }
    }
}
