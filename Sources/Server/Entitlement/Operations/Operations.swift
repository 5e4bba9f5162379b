package import Clientless
import Cryptography

/// What operators look at and change in the records of devices, each change with its line in the audit log.
package final class Operations: Sendable {
    private let store: any Store
    private let keys: ServerKeys
    private let memory: LiveMemory
    private let signIns: SignIns

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
                await self.store.deleteAuthentications(selection, limit: 200, audit: audit))
            for device in Set(gone.map(\.context.device)) { self.memory.announce(device: device) }
            (number, audit) = (number + gone.count, nil)
            if gone.count < 200 { return number }
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
