package import Clientless

/// The viewers of local providers, as operators keep them. Removing one ends sign-ins too, and is
/// ``Operations/removeAccount(_:of:actor:now:)``.
package struct Accounts: Sendable {
    let store: any AccountStore

    /// All accounts, by provider and name.
    package func all() async throws(EntitlementError) -> [Account] { try await stored(await self.store.accounts()) }

    package func account(_ name: String, of mvpd: MVPDID) async throws(EntitlementError) -> Account? {
        try await stored(await self.store.account(name, of: mvpd))
    }

    /// The passkeys of an account, the oldest first. Removing one is ``Operations/removePasskey(_:of:actor:now:)``.
    package func passkeys(of account: Account) async throws(EntitlementError) -> [Passkey] {
        try await stored(await self.store.passkeys(of: account.id, at: account.mvpd))
    }

    /// The account with an ID, which no other account of the provider ever has.
    package func account(id: String, of mvpd: MVPDID) async throws(EntitlementError) -> Account? {
        try await stored(await self.store.account(id: id, of: mvpd))
    }

    /// Keeps a new account.
    /// - Returns: false, and nothing is kept, when its name or ID is taken.
    package func add(_ account: Account, actor: String, now: Timestamp) async throws(EntitlementError) -> Bool {
        try await stored(await self.store.insert(account, audit: Self.entry("user.add", account, actor, now)))
    }

    /// Gives an account another password.
    /// - Returns: false, and nothing changed, when the account was changed or removed since it was read.
    package func setPassword(
        _ hash: String, of account: Account, actor: String, now: Timestamp
    ) async throws(EntitlementError) -> Bool {
        try await self.change(account, "user.passwd", actor, now) { $0.passwordHash = hash }
    }

    /// Sets what requestors are told of a viewer, in place of all that was set before.
    /// - Returns: false, and nothing changed, when the account was changed or removed since it was read.
    package func setMetadata(
        _ metadata: [String: MetadataValue], of account: Account, actor: String, now: Timestamp
    ) async throws(EntitlementError) -> Bool {
        try await self.change(account, "user.metadata", actor, now) { $0.metadata = metadata }
    }

    /// Sets what a viewer may play, in place of all that was set before; `*` is everything.
    /// - Returns: false, and nothing changed, when the account was changed or removed since it was read.
    package func setLineUp(
        _ lineUp: [String], of account: Account, actor: String, now: Timestamp
    ) async throws(EntitlementError) -> Bool {
        let detail = Self.difference(account.lineUp, lineUp)
        return try await self.change(account, "user.channels", actor, now, detail: detail) { $0.lineUp = lineUp }
    }

    /// The channels that a viewer gets and loses, for the audit log: at most 512 bytes, each part behind a comma.
    private static func difference(_ old: [String], _ new: [String]) -> String {
        // Everything includes the channels that it replaces.
        let lost = new == ["*"] ? [] : old.filter { !new.contains($0) }
        let changes = [("added", new.filter { !old.contains($0) }), ("removed", lost)]
        return changes.filter { !$0.1.isEmpty }.map { word, channels in
            ", \(word) \(channels == ["*"] ? "every channel" : channels.joined(separator: ", "))"
        }.joined().prefix(bytes: 512)
    }

    private func change(
        _ account: Account, _ action: String, _ actor: String, _ now: Timestamp, detail: String = "",
        _ set: (inout Account) -> Void
    ) async throws(EntitlementError) -> Bool {
        var changed = account
        set(&changed)
        return try await stored(
            await self.store.replace(changed, audit: Self.entry(action, account, actor, now, detail)))
    }

    private static func entry(
        _ action: String, _ account: Account, _ actor: String, _ now: Timestamp, _ detail: String = ""
    ) -> AuditEntry {
        AuditEntry(time: now, actor: actor, action: action, subject: "user \(account.mvpd) \(account.name)\(detail)")
    }
}
