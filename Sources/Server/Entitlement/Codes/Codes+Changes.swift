package import Clientless

/// The change that goes into the store together with a code's new life.
struct CodeChange: Sendable {
    /// Whether this is the first that a viewer does with the code.
    var isOpening = false
    var attempt: LoginAttempt?
    /// Whether the attempt begins with it.
    var isBeginning = false
    var authentication: AuthNRecord?
    var audit: AuditEntry?
}

extension Codes {
    /// Lets `decide` change a code, and swaps it in; reads it again when another caller was quicker.
    ///
    /// `decide` may run several times: it returns its decision and changes nothing else.
    /// - Parameter record: the code as it was read a moment ago.
    /// - Throws: what `decide` throws, `codeUnknown` when the code is gone, `storeUnavailable`.
    func change(
        startingFrom record: RegistrationRecord,
        decide: @Sendable (inout RegistrationRecord) throws(EntitlementError) -> CodeChange
    ) async throws(EntitlementError) -> (record: RegistrationRecord, made: CodeChange) {
        var record = record
        // A swap is lost only to one that won; a few rounds outlast any number of eager browsers.
        for _ in 0..<16 {
            let code = record.code
            let change = try decide(&record)
            let ticket = self.memory.expectChange(of: code)
            let login = change.attempt.map { ($0, self.memory.attempts.ticket(for: $0.id)) }
            var isSwapped = false
            // The feed tells nothing of a change that failed.
            defer { if !isSwapped { self.memory.announce(code: code) } }
            isSwapped = try await stored(
                await self.store.replace(
                    record, attempt: change.attempt, creating: change.authentication, audit: change.audit))
            guard isSwapped else {
                // A code that was erased may be issued again, to another box.
                guard let current = try await self.storedCode(code), current.id == record.id
                else { throw EntitlementError(.codeUnknown) }
                record = current
                continue
            }
            record.version += 1
            if let authentication = change.authentication {
                self.memory.announce(device: authentication.context.device)
            }
            self.memory.announce(code: code, kept: (record, ticket))
            if case (var attempt, let ticket)? = login {
                if !change.isBeginning { attempt.version += 1 }
                self.memory.attempts.replace(attempt.id, since: ticket) { _ in attempt }
            }
            return (record, change)
        }
        throw EntitlementError(.storeUnavailable, detail: "sixteen swaps of one code were all too late")
    }
}

extension Codes {
    /// Notes that a viewer entered the code of `record`, so that its box can say so.
    /// - Throws: `codeUnknown`, `codeUsed` or `codeDeclined` when the code is over meanwhile; `storeUnavailable`.
    package func noteOpened(_ record: RegistrationRecord, now: Timestamp) async throws(EntitlementError) {
        // Nearly every time after the first this changes nothing, and costs no write.
        guard case .waiting(let refusal) = record.life.state(at: now), refusal?.isEmpty != false else { return }
        let change = try await self.change(startingFrom: record) { (record) throws(EntitlementError) in
            let isOpening = record.life.state(at: now) == .waiting(refusal: nil)
            try record.life.applying(.opened, at: now)
            return CodeChange(isOpening: isOpening)
        }
        // Another caller may have been quicker.
        if change.made.isOpening { self.tell(.codeOpened, of: change.record, at: nil, now: now) }
    }
}

extension Codes {
    /// Tells what happened to the box of a code, once the store has it.
    func tell(
        _ kind: BoxStep.Kind, of record: RegistrationRecord, at mvpd: MVPDID?, network: NetworkPrefix? = nil,
        viewer: String? = nil, now: Timestamp
    ) {
        guard !record.isOfBoxList else { return }
        var event = BoxStep(
            kind: kind, time: now, requestor: record.requestor, mvpd: mvpd, device: record.context.device,
            model: BoxModel(record.box, deviceType: record.request.deviceType))
        event.network = network
        event.viewer = viewer
        if kind == .confirmed { event.duration = now - record.life.generated }
        self.report(.box(event))
    }
}

extension RegistrationCode {
    /// ``apply(_:at:)`` with the refusal in the words of the domain's callers.
    mutating func applying(_ event: Event, at now: Timestamp) throws(EntitlementError) {
        do {
            try self.apply(event, at: now)
        } catch {
            switch error {
            case .alreadyCompleted: throw EntitlementError(.codeUsed)
            case .declined: throw EntitlementError(.codeDeclined)
            case .cancelled, .expired: throw EntitlementError(.codeUnknown)
            }
        }
    }
}
