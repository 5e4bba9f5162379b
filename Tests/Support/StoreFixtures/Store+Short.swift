package import Clientless
package import Entitlement

// The store's operations with what the tests have in common left out.
extension Store {
    /// Keeps a new code of a device that may have `limit` of them.
    @discardableResult
    package func keep(_ record: RegistrationRecord, limit: Int = 10) async throws(StoreError) -> RegistrationRecord {
        _ = try await self.insert(record, limitPerDevice: limit, now: Fixture.now)
        return record
    }

    package func save(_ authentication: AuthNRecord) async throws(StoreError) {
        try await self.insert(authentication)
    }

    package func replace(
        _ record: RegistrationRecord, attempt: LoginAttempt?, creating authentication: AuthNRecord?
    ) async throws(StoreError) -> Bool {
        try await self.replace(record, attempt: attempt, creating: authentication, audit: nil)
    }

    package func authentications(of device: DeviceHash) async throws(StoreError) -> [AuthNRecord] {
        try await self.authentications(of: device, limit: 1000)
    }

    package func save(_ authorization: AuthZRecord) async throws(StoreError) -> Bool {
        try await self.save(authorization, limit: 1000)
    }

    /// Keeps a new account; whatever has its name goes.
    package func save(_ account: Account) async throws(StoreError) {
        _ = try await self.deleteAccount(account.name, of: account.mvpd, audit: nil)
        _ = try await self.insert(account, audit: nil)
    }

    package func insert(_ client: ClientRecord) async throws(StoreError) {
        _ = try await self.insert(client, quota: nil)
    }

    package func add(_ counts: [ReportCount]) async throws(StoreError) {
        try await self.add(counts, batch: randomUUID(), until: Fixture.now + .seconds(3600))
    }

    package func purge(limit: Int, now: Timestamp) async throws(StoreError) -> Int {
        try await self.purge(StoreRetention(), limit: limit, now: now).erased
    }

    /// Everything that changed after a position, in pages of `limit`.
    package func subjects(after position: ChangePosition, limit: Int = 1000) async throws(StoreError) -> [StoreChange] {
        var position = position
        var subjects: [StoreChange] = []
        while true {
            switch try await self.changes(after: position, limit: limit) {
            case .changes(let changes, let reached, let hasMore):
                subjects += changes
                position = reached
                if !hasMore { return subjects }
            case .gap(let newest): position = newest
            case .heldUp: await self.waitForChange(after: position, timeout: .seconds(1))
            }
        }
    }
}

extension AuthNRecord {
    /// The same sign-in with another end.
    package func ending(at end: Timestamp) -> AuthNRecord {
        var copy = self
        copy.expires = end
        return copy
    }
}

extension AuthenticationStore {
    /// Erases a record, on no one's word.
    package func deleteAuthentication(_ id: AuthNID, audit: AuditEntry?) async throws(StoreError) -> AuthNRecord? {
        try await self.deleteAuthentication(id, as: Fixture.end, audit: audit)
    }

    package func deleteAuthentications(
        _ context: DeviceContext, audit: AuditEntry?
    ) async throws(StoreError) -> [AuthNRecord] {
        try await self.deleteAuthentications(context, as: Fixture.end, audit: audit)
    }

    package func deleteAuthentications(
        _ selection: AuthNSelection, limit: Int, audit: AuditEntry?
    ) async throws(StoreError) -> [AuthNRecord] {
        try await self.deleteAuthentications(selection, limit: limit, as: Fixture.end, audit: audit)
    }
}

extension Fixture {
    fileprivate static let end = SignInEnd(at: now, by: "test", .endedByOperator)
}
