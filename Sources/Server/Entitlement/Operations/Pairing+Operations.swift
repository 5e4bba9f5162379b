package import Clientless
import Cryptography

// What operators look at and change in records and credentials, each change with its line in the audit log.
extension Pairing {
    /// All AuthN records of a device, newest first, expired ones too.
    /// - Throws: `storeUnavailable`.
    package func records(of device: DeviceID) async throws(EntitlementError) -> [AuthNRecord] {
        try await self.authentications(of: self.keys.deviceHash(device))
    }

    /// All decisions stored for a device, newest first, expired ones too.
    /// - Throws: `storeUnavailable`.
    package func decisions(of device: DeviceID) async throws(EntitlementError) -> [AuthZRecord] {
        do {
            return try await self.store.authorizations(of: self.keys.deviceHash(device))
        } catch {
            throw EntitlementError(error)
        }
    }

    /// Erases every AuthN record of a device, with its decisions.
    /// - Returns: the erased records.
    /// - Throws: `storeUnavailable`.
    package func deleteRecords(
        of device: DeviceID, actor: String, now: Timestamp
    ) async throws(EntitlementError) -> [AuthNRecord] {
        let context = self.context(device, appID: nil, deviceUser: nil)
        let entry = AuditEntry(
            time: now, actor: actor, action: "records.delete", subject: Self.auditName(of: context.device))
        let gone: [AuthNRecord]
        do {
            gone = try await self.store.deleteAuthentications(context, audit: entry)
        } catch {
            throw EntitlementError(error)
        }
        if !gone.isEmpty { self.announce(device: context.device) }
        return gone
    }

    /// Erases one AuthN record, with its decisions.
    /// - Returns: the erased record; none when there was no such record.
    /// - Throws: `storeUnavailable`.
    package func deleteRecord(
        _ id: AuthNID, actor: String, now: Timestamp
    ) async throws(EntitlementError) -> AuthNRecord? {
        let gone: AuthNRecord?
        do {
            // The GUID stands in documents of the device and opens nothing; half of it tells records apart.
            let entry = AuditEntry(
                time: now, actor: actor, action: "record.delete", subject: "record \(id.text.prefix(16))")
            gone = try await self.store.deleteAuthentication(id, audit: entry)
        } catch {
            throw EntitlementError(error)
        }
        if let gone { self.announce(device: gone.context.device) }
        return gone
    }

    /// Takes a key pair out of use, in this server's memory at once. One that ended earlier keeps its end.
    /// - Returns: whether there is such a key pair.
    /// - Throws: `storeUnavailable`.
    package func revokeKeyPair(
        _ publicKey: String, actor: String, now: Timestamp
    ) async throws(EntitlementError) -> Bool {
        do {
            guard let pair = try await self.store.credentials().keyPairs.first(where: { $0.publicKey == publicKey })
            else { return false }
            if let ends = pair.ends, ends <= now { return true }
            let entry = AuditEntry(time: now, actor: actor, action: "key-pair.revoke", subject: "key \(publicKey)")
            try await self.store.save(pair.ended(at: now), audit: entry)
            try await self.credentials.reload()
        } catch {
            throw EntitlementError(error)
        }
        return true
    }

    /// Takes an application out of use, with all its clients and their access tokens, in this server's memory at once.
    /// One that ended earlier keeps its end.
    /// - Returns: whether there is such an application.
    /// - Throws: `storeUnavailable`.
    package func revokeApplication(
        _ softwareID: String, actor: String, now: Timestamp
    ) async throws(EntitlementError) -> Bool {
        do {
            let applications = try await self.store.credentials().applications
            guard let application = applications.first(where: { $0.softwareID == softwareID }) else { return false }
            if let ends = application.ends, ends <= now { return true }
            let entry = AuditEntry(
                time: now, actor: actor, action: "application.revoke", subject: "application \(softwareID)")
            try await self.store.save(application.ended(at: now), audit: entry)
            try await self.credentials.reload()
        } catch {
            throw EntitlementError(error)
        }
        return true
    }

    /// The newest entries of the audit log, newest first.
    /// - Throws: `storeUnavailable`.
    package func auditEntries(limit: Int) async throws(EntitlementError) -> [AuditEntry] {
        do {
            return try await self.store.auditEntries(limit: limit)
        } catch {
            throw EntitlementError(error)
        }
    }

    /// What the log calls a device: enough of its hash to find it again, and not its ID.
    static func auditName(of device: DeviceHash) -> String { "device \(Hex.encode(device.bytes.prefix(8)))" }
}
