package import Clientless

/// The part that operators look at and change in the records of devices, each change with its line in the audit log.
package struct Operations: DomainPart {
    let parts: DomainParts
    let signIns: SignIns
    /// Sign-ins that end in one transaction, so that no caller waits long behind it.
    private static let bite = 500

    package func records(
        of device: DeviceID, within remit: Remit = .all
    ) async throws(EntitlementError) -> [AuthNRecord] {
        try await self.signIns.storedAuthentications(of: self.keys.deviceHash(device)).filter {
            remit.covers($0.requestor)
        }
    }

    /// One AuthN record, also an expired one.
    package func record(_ id: AuthNID) async throws(EntitlementError) -> AuthNRecord? {
        try await stored(await self.store.authentication(id))
    }

    /// The decisions stored for a device, newest first, expired ones too.
    package func decisions(
        of device: DeviceID, within remit: Remit = .all
    ) async throws(EntitlementError) -> [AuthZRecord] {
        try await self.decisions(of: self.keys.deviceHash(device)).filter { remit.covers($0.requestor) }
    }

    /// Erases every AuthN record of a device, with its decisions.
    /// - Returns: the erased records.
    package func deleteRecords(
        of device: DeviceID, actor: String, now: Timestamp
    ) async throws(EntitlementError) -> [AuthNRecord] {
        try await self.deleteRecords(of: self.keys.deviceHash(device), actor: actor, now: now)
    }

    /// The same for a device that only its hash is known of.
    package func deleteRecords(
        of device: DeviceHash, actor: String, now: Timestamp
    ) async throws(EntitlementError) -> [AuthNRecord] {
        let context = DeviceContext(device: device, appID: nil, deviceUser: nil)
        let entry = AuditEntry(
            time: now, actor: actor, action: "box.sign-out", subject: Self.auditName(of: context.device))
        let end = SignInEnd(at: now, by: actor, .endedByOperator)
        let gone = try await stored(await self.store.deleteAuthentications(context, as: end, audit: entry))
        if !gone.isEmpty { self.memory.announce(device: context.device) }
        self.onEnding(Ending(.device(context.device), at: now))
        return gone
    }

    /// Erases one AuthN record, with its decisions.
    /// - Returns: the erased record; `nil` when there was no such record within `remit`.
    package func deleteRecord(
        _ id: AuthNID, within remit: Remit = .all, actor: String, now: Timestamp
    ) async throws(EntitlementError) -> AuthNRecord? {
        guard let record = try await self.record(id), remit.covers(record.requestor) else { return nil }
        let entry = AuditEntry(time: now, actor: actor, action: "sign-in.end", subject: Self.auditName(of: record))
        let end = SignInEnd(at: now, by: actor, .endedByOperator)
        let gone = try await stored(await self.store.deleteAuthentication(id, as: end, audit: entry))
        if let gone {
            self.memory.announce(device: gone.context.device)
            self.onEnding(Ending(.signIn(id), at: now))
        }
        return gone
    }

    /// How many sign-ins are read at a time to be counted.
    static let page = 500

    /// Ends all sign-ins of a selection, with their permits, in small bites. The boxes learn of it with their next poll;
    /// the providers are not told. With all of one viewer end the logins that began before: none can be confirmed then.
    /// - Returns: how many ended.
    /// - Throws: `storeUnavailable`; what ended until then stays ended.
    package func endSignIns(
        _ selection: AuthNSelection, within remit: Remit = .all, actor: String, now: Timestamp
    ) async throws(EntitlementError) -> Int {
        // The mark comes first, as with a provider's ending; at each if none is named, as it means nothing at others.
        if let viewer = selection.userID, selection.requestor == nil, selection.code == nil, selection.before == nil,
            remit.coversAll(of: self.catalogue.current)
        {
            let mvpds = selection.mvpd.map { [$0] } ?? self.catalogue.current.mvpds.map(\.id)
            for mvpd in mvpds { try await self.leaveMark(viewer, at: mvpd, now: now) }
        }
        guard let requestors = remit.requestors else {
            return try await self.endSignIns(selection, .endedByOperator, isLogged: true, actor: actor, now: now)
        }
        var (count, own) = (0, selection)
        for requestor in requestors.sorted(by: { $0.text < $1.text })
        where selection.requestor.map({ $0 == requestor }) ?? true {
            own.requestor = requestor
            count += try await self.endSignIns(own, .endedByOperator, isLogged: true, actor: actor, now: now)
        }
        return count
    }

    private func endSignIns(
        _ selection: AuthNSelection, _ reason: SignInEnding, isLogged: Bool, actor: String, now: Timestamp
    ) async throws(EntitlementError) -> Int {
        let entry = AuditEntry(time: now, actor: actor, action: "sign-ins.end", subject: selection.auditName)
        var (number, audit, isBegun): (Int, AuditEntry?, Bool) = (0, isLogged ? entry : nil, false)
        // Also of those that ended before one could not.
        defer { if isBegun { self.onEnding(Ending(.signIns(selection), at: now)) } }
        while true {
            let gone = try await stored(
                await self.store.deleteAuthentications(
                    selection, limit: Self.bite, as: SignInEnd(at: now, by: actor, reason), audit: audit))
            isBegun = true
            for device in Set(gone.map(\.context.device)) { self.memory.announce(device: device) }
            for code in Set(gone.compactMap(\.code)) { self.memory.announce(code: code) }
            (number, audit) = (number + gone.count, nil)
            if gone.isEmpty { return number }
        }
    }

    /// How many sign-ins ``endSignIns(_:within:actor:now:)`` would end.
    package func countSignIns(_ selection: AuthNSelection) async throws(EntitlementError) -> Int {
        var count = 0
        try await self.visit(selection, by: Self.page) { (page) throws(EntitlementError) in count += page.count }
        return count
    }

    /// Erases an account of a local provider, and ends the sign-ins of its boxes.
    /// - Returns: how many sign-ins ended; `nil` when there is no such account.
    package func removeAccount(
        _ name: String, of mvpd: MVPDID, actor: String, now: Timestamp
    ) async throws(EntitlementError) -> Int? {
        guard let known = try await stored(await self.store.account(name, of: mvpd)) else { return nil }
        // Before the account: what fails halfway can then be done again.
        let number = try await self.endSignIns(
            self.viewer(known.id, of: mvpd), .refusedByProvider, isLogged: true, actor: actor, now: now)
        let entry = AuditEntry(time: now, actor: actor, action: "user.remove", subject: "user \(mvpd) \(name)")
        guard let account = try await stored(await self.store.deleteAccount(name, of: mvpd, audit: entry))
        else { return nil }
        self.onEnding(Ending(.account(account.id, of: mvpd), at: now))
        // Boxes that were confirmed in between.
        let late = try await self.endSignIns(
            self.viewer(account.id, of: mvpd), .refusedByProvider, isLogged: false, actor: actor, now: now)
        return number + late
    }

    /// Erases a passkey of an account. Boxes that are signed in stay so.
    /// - Returns: whether there was such a passkey.
    package func removePasskey(
        _ passkey: Passkey, of account: Account, actor: String, now: Timestamp
    ) async throws(EntitlementError) -> Bool {
        let entry = AuditEntry(
            time: now, actor: actor, action: "passkey.remove",
            subject: "user \(account.mvpd) \(account.name), passkey \(passkey.name)")
        guard try await stored(await self.store.deletePasskey(passkey.credential, audit: entry)) else { return false }
        self.onEnding(Ending(.passkey(passkey.credential), at: now))
        return true
    }

    /// Says that the time is right after a clock was doubted, so that purging goes on (``PurgeClock``).
    package func confirmTime(_ now: Timestamp, actor: String) async throws(EntitlementError) {
        let entry = AuditEntry(time: now, actor: actor, action: "time.confirm", subject: "the clock")
        try await stored(await self.store.confirm(now, audit: entry))
    }

    /// Keeps an entry of the audit log about a change outside the store, such as a new key in a folder.
    /// - Parameters:
    ///   - action: a constant.
    ///   - subject: in public terms, never a secret.
    package func log(
        _ action: String, of subject: String, actor: String, now: Timestamp
    ) async throws(EntitlementError) {
        try await stored(await self.store.log(AuditEntry(time: now, actor: actor, action: action, subject: subject)))
    }

    /// The newest entries of the audit log that are selected, newest first, at most `limit`.
    package func auditEntries(
        _ selection: AuditSelection = AuditSelection(), limit: Int
    ) async throws(EntitlementError) -> [AuditEntry] {
        let entries = try await stored(await self.store.auditEntries(selection, limit: limit))
        // Sixteen digits without the hyphen may be of a viewer, too, so a box is looked for afterwards.
        guard entries.isEmpty, let box = selection.subject.flatMap({ BoxHandle($0) }) else { return entries }
        var named = selection
        named.subject = box.description
        return try await stored(await self.store.auditEntries(named, limit: limit))
    }

    /// The log's name of a sign-in. Its GUID stands in documents of the device and opens nothing; half of it will do.
    static func auditName(of record: AuthNRecord) -> String {
        "record \(record.id.text.prefix(16)), \(self.auditName(of: record.context.device))"
    }
    /// The log's name of a device: enough of its hash to find it again, and not its ID.
    package static func auditName(of device: DeviceHash) -> String { "device \(device.handle)" }
}

/// Which requestors a caller may touch: what belongs to one of them, and what speaks for none beside them.
package struct Remit: Hashable, Sendable {
    /// Everything, for the operator's own commands.
    package static let all = Remit(requestors: nil)

    /// `nil` is all.
    let requestors: Set<RequestorID>?

    private init(requestors: Set<RequestorID>?) { self.requestors = requestors }

    /// The remit of an application's clients.
    package init(of application: ApplicationRecord) { self.init(requestors: Set(application.requestors)) }

    package func covers(_ requestor: RequestorID) -> Bool { self.requestors?.contains(requestor) ?? true }

    /// Whether it covers what speaks for `requestors`. A record that is not there, or speaks for no requestor, is for
    /// operators alone.
    func covers(allOf requestors: (some Collection<RequestorID>)?) -> Bool {
        guard self.requestors != nil else { return true }
        guard let requestors, !requestors.isEmpty else { return false }
        return requestors.allSatisfy(self.covers)
    }

    package func coversAll(of catalogue: Catalogue) -> Bool { catalogue.requestors.allSatisfy { self.covers($0.id) } }
}

/// One change that an operator made, or a sign-in that its provider refused: the actor, the action, its subject and its time. Never a secret.
package struct AuditEntry: Hashable, Sendable {
    package let time: Timestamp
    /// The client or command that asked, or the provider.
    package let actor: String
    /// A constant, such as `degradation.add`.
    package let action: String
    package let subject: String

    package init(time: Timestamp, actor: String, action: String, subject: String) {
        self.time = time
        self.actor = actor
        self.action = action
        self.subject = subject
    }
}

/// Which entries of the audit log are wanted; what is `nil` does not restrict them.
package struct AuditSelection: Hashable, Sendable {
    /// From this moment on.
    package var since: Timestamp?
    /// Before this moment.
    package var until: Timestamp?
    /// A part of the subject, in any case of its ASCII letters, such as a box's sixteen digits or a viewer's name.
    package var subject: String?
    /// A part of the actor in the same way, such as the name of a user of the machine.
    package var actor: String?

    /// The longest part of a text that may be asked for on a wire, in bytes of UTF-8.
    package static let longestPart = 256

    package init() {}
}
