package import Clientless
import Cryptography

/// What operators look at and change in the records of devices, each change with its line in the audit log.
package final class Operations: Sendable {
    private let store: any Store
    private let keys: ServerKeys
    private let memory: LiveMemory
    private let signIns: SignIns
    /// Sign-ins that end in one transaction, so that no caller waits long behind it.
    private static let bite = 500

    init(store: any Store, keys: ServerKeys, memory: LiveMemory, signIns: SignIns) {
        self.store = store
        self.keys = keys
        self.memory = memory
        self.signIns = signIns
    }

    /// All AuthN records of a device, newest first, expired ones too.
    /// - Throws: `storeUnavailable`.
    package func records(of device: DeviceID) async throws(EntitlementError) -> [AuthNRecord] {
        try await self.signIns.authentications(of: self.keys.deviceHash(device))
    }

    /// One AuthN record, also an expired one.
    /// - Throws: `storeUnavailable`.
    package func record(_ id: AuthNID) async throws(EntitlementError) -> AuthNRecord? {
        try await stored(await self.store.authentication(id))
    }

    /// All decisions stored for a device, newest first, expired ones too.
    /// - Throws: `storeUnavailable`.
    package func decisions(of device: DeviceID) async throws(EntitlementError) -> [AuthZRecord] {
        return try await stored(await self.store.authorizations(of: self.keys.deviceHash(device)))
    }

    /// Erases every AuthN record of a device, with its decisions.
    /// - Returns: the erased records.
    /// - Throws: `storeUnavailable`.
    package func deleteRecords(
        of device: DeviceID, actor: String, now: Timestamp
    ) async throws(EntitlementError) -> [AuthNRecord] {
        let context = self.signIns.context(device, appID: nil, deviceUser: nil)
        let entry = AuditEntry(
            time: now, actor: actor, action: "records.delete", subject: Self.auditName(of: context.device))
        let gone = try await stored(await self.store.deleteAuthentications(context, audit: entry))
        if !gone.isEmpty { self.memory.announce(device: context.device) }
        return gone
    }

    /// Erases one AuthN record, with its decisions.
    /// - Returns: the erased record; `nil` when there was no such record.
    /// - Throws: `storeUnavailable`.
    package func deleteRecord(
        _ id: AuthNID, actor: String, now: Timestamp
    ) async throws(EntitlementError) -> AuthNRecord? {
        // The GUID stands in documents of the device and opens nothing; half of it tells records apart.
        let entry = AuditEntry(
            time: now, actor: actor, action: "record.delete", subject: "record \(id.text.prefix(16))")
        let gone = try await stored(await self.store.deleteAuthentication(id, audit: entry))
        if let gone { self.memory.announce(device: gone.context.device) }
        return gone
    }

    /// Ends all sign-ins of a selection, with their permits, in small bites. The boxes learn of it with their next poll;
    /// the providers are not told.
    /// - Returns: how many ended.
    /// - Throws: `storeUnavailable`; what ended until then stays ended.
    package func endSignIns(
        _ selection: SignInSelection, actor: String, now: Timestamp
    ) async throws(EntitlementError) -> Int {
        if case .device(let device) = selection {
            return try await self.deleteRecords(of: device, actor: actor, now: now).count
        }
        return try await self.endSignIns(
            selection.inStore(keys: self.keys), subject: selection.auditName(keys: self.keys), actor: actor, now: now)
    }

    /// Erases an account of a local provider, and ends the sign-ins of its boxes.
    /// - Returns: how many sign-ins ended; `nil` when there is no such account.
    /// - Throws: `storeUnavailable`.
    package func removeAccount(
        _ name: String, of mvpd: MVPDID, actor: String, now: Timestamp
    ) async throws(EntitlementError) -> Int? {
        let entry = AuditEntry(time: now, actor: actor, action: "account.remove", subject: "account \(mvpd) \(name)")
        guard let account = try await stored(await self.store.deleteAccount(name, of: mvpd, audit: entry))
        else { return nil }
        return try await self.endSignIns(.viewer(account.id, of: mvpd), actor: actor, now: now)
    }

    /// The sign-ins that `selection` selects, in pages: from the one after `previous` on, at most `limit`.
    /// - Throws: `storeUnavailable`.
    package func records(
        _ selection: AuthNSelection, after previous: AuthNID? = nil, limit: Int
    ) async throws(EntitlementError) -> [AuthNRecord] {
        try await stored(await self.store.authentications(selection, after: previous, limit: limit))
    }

    /// Ends the sign-ins that `selection` selects, with their decisions.
    /// - Parameter subject: what the audit log says that was ended, in public terms.
    /// - Returns: how many.
    /// - Throws: `storeUnavailable`; some may have ended then.
    package func endSignIns(
        _ selection: AuthNSelection, subject: String, actor: String, now: Timestamp
    ) async throws(EntitlementError) -> Int {
        var (number, audit): (Int, AuditEntry?) = (
            0, AuditEntry(time: now, actor: actor, action: "sign-ins.end", subject: subject)
        )
        while true {
            // In small bites, so that no caller waits long behind one.
            let gone = try await stored(
                await self.store.deleteAuthentications(selection, limit: Self.bite, audit: audit))
            for device in Set(gone.map(\.context.device)) { self.memory.announce(device: device) }
            for code in Set(gone.compactMap(\.code)) { self.memory.announce(code: code) }
            (number, audit) = (number + gone.count, nil)
            if gone.count < Self.bite { return number }
        }
    }

    /// Says that the time is right after a clock was doubted, so that purging goes on (``PurgeClock``).
    /// - Throws: `storeUnavailable`.
    package func confirmTime(_ now: Timestamp, actor: String) async throws(EntitlementError) {
        try await stored(await self.store.confirm(now))
        try await stored(
            await self.store.log(AuditEntry(time: now, actor: actor, action: "time.confirm", subject: "the clock")))
    }

    /// The newest entries of the audit log, newest first.
    /// - Throws: `storeUnavailable`.
    package func auditEntries(limit: Int) async throws(EntitlementError) -> [AuditEntry] {
        return try await stored(await self.store.auditEntries(limit: limit))
    }

    /// What the log calls a device: enough of its hash to find it again, and not its ID.
    static func auditName(of device: DeviceHash) -> String { "device \(Hex.encode(device.bytes.prefix(8)))" }
}

/// Whose sign-ins an operator ends.
package enum SignInSelection: Hashable, Sendable {
    /// The viewer by the provider's own ID of them; of a local provider that is the account's ID.
    case viewer(String, of: MVPDID)
    /// What was obtained through a code, such as one that was reported as abused.
    case code(RegistrationCodeText)
    case requestor(RequestorID)
    /// Made at the first moment or later, and before the second.
    case period(Timestamp, until: Timestamp)
    case device(DeviceID)
    case all

    func inStore(keys: ServerKeys) -> AuthNSelection {
        var selection = AuthNSelection()
        switch self {
        case .viewer(let id, let mvpd):
            selection.mvpd = mvpd
            selection.userID = keys.userID(id, of: mvpd)
        case .code(let code): selection.code = code
        case .requestor(let requestor): selection.requestor = requestor
        case .period(let start, let end):
            selection.since = start
            selection.before = end
        case .device, .all: break
        }
        return selection
    }

    /// In public terms: no code, no device ID.
    func auditName(keys: ServerKeys) -> String {
        switch self {
        case .viewer(let id, let mvpd): "viewer \(keys.userID(id, of: mvpd).prefix(16)) of \(mvpd)"
        case .code: "what one code led to"
        case .requestor(let requestor): "requestor \(requestor)"
        case .period(let start, let end): "period \(start.milliseconds) to \(end.milliseconds) ms"
        case .device(let device): Operations.auditName(of: keys.deviceHash(device))
        case .all: "all"
        }
    }
}
