package import Clientless

/// Something that an operator ended for good. A store that is put back from an older archive does not know of it, and is
/// told again by ``Endings``.
package struct Ending: Hashable, Sendable, Codable {
    package enum Subject: Hashable, Sendable, Codable {
        case keyPair(String)
        /// By its software ID.
        case application(String)
        case client(String)
        /// By its ID. Its sign-ins are an ending of their own.
        case account(String, of: MVPDID)
        case passkey([UInt8])
        /// A code that was taken back or used, by its hash.
        case setUpCode([UInt8])
        case signIns(AuthNSelection)
        case signIn(AuthNID)
        case device(DeviceHash)
    }

    package let subject: Subject
    /// When it ended; of a key pair that was rotated, when it ends. Sign-ins made later are not meant.
    package let time: Timestamp

    package init(_ subject: Subject, at time: Timestamp) {
        self.subject = subject
        self.time = time
    }
}

/// Ends again, in a store that came from an archive, what operators had ended since.
package struct Endings: Sendable {
    package struct Outcome: Hashable, Sendable {
        package let ending: Ending
        /// How many records it ended.
        package let count: Int
    }

    /// Sign-ins that end in one transaction, so that no caller waits long behind it.
    private static let bite = 500

    private let store: any Store

    package init(_ store: any Store) { self.store = store }

    /// Ends what is listed and still in force; what came into being later is left alone, so that a list may be gone
    /// through any number of times.
    /// - Returns: those that ended something.
    /// - Throws: `storeUnavailable`; what ended until then stays ended.
    package func endAgain(
        _ endings: [Ending], actor: String, now: Timestamp
    ) async throws(EntitlementError) -> [Outcome] {
        guard !endings.isEmpty else { return [] }
        var outcomes: [Outcome] = []
        for ending in try await self.open(endings) {
            let count = try await stored(await self.end(ending, actor: actor, now: now))
            if count > 0 { outcomes.append(Outcome(ending: ending, count: count)) }
        }
        return outcomes
    }

    /// The endings but for those of key pairs and applications that are over in time anyway.
    private func open(_ endings: [Ending]) async throws(EntitlementError) -> [Ending] {
        let (keyPairs, applications) = try await stored(await self.store.credentials())
        return endings.filter { ending in
            switch ending.subject {
            case .keyPair(let key):
                keyPairs.contains { $0.publicKey == key && ending.time.isBefore($0.ends) }
            case .application(let id):
                applications.contains { $0.softwareID == id && ending.time.isBefore($0.ends) }
            case .client, .account, .passkey, .setUpCode, .signIns, .signIn, .device: true
            }
        }
    }

    private func end(_ ending: Ending, actor: String, now: Timestamp) async throws(StoreError) -> Int {
        func entry(_ action: String, _ subject: String) -> AuditEntry {
            AuditEntry(time: now, actor: actor, action: action, subject: subject)
        }
        let end = SignInEnd(at: now, by: actor, .endedByOperator)
        switch ending.subject {
        case .keyPair(let key):
            let audit = entry("key-pair.end-again", "key \(key)")
            return try await self.store.endKeyPair(key, at: ending.time, audit: audit) == nil ? 0 : 1
        case .application(let id):
            let audit = entry("application.end-again", "application \(id)")
            return try await self.store.endApplication(id, at: ending.time, audit: audit) == nil ? 0 : 1
        case .client(let id):
            guard try await self.store.client(id) != nil else { return 0 }
            return try await self.store.deleteClient(id, audit: entry("client.end-again", "client \(id)")) ? 1 : 0
        case .account(let id, let mvpd):
            guard let account = try await self.store.account(id: id, of: mvpd) else { return 0 }
            let audit = entry("account.end-again", "account \(mvpd) \(account.name)")
            return try await self.store.deleteAccount(account.name, of: mvpd, audit: audit) == nil ? 0 : 1
        case .passkey(let credential):
            guard let passkey = try await self.store.passkey(credential), passkey.created <= ending.time
            else { return 0 }
            let audit = entry("passkey.end-again", "passkey \(passkey.name)")
            return try await self.store.deletePasskey(credential, audit: audit) ? 1 : 0
        case .setUpCode(let hash):
            guard let code = try await self.store.setUpCode(hash) else { return 0 }
            let audit = entry("set-up-code.end-again", code.auditName)
            return try await self.store.takeSetUpCode(hash, keeping: nil, audit: [audit]) ? 1 : 0
        case .signIns(let selection):
            // Those of the same moment are meant, too.
            let after = ending.time + .milliseconds(1)
            var earlier = selection
            earlier.before = min(selection.before ?? after, after)
            // Looked for first: most records of a list are gone already, and reading costs no commit.
            guard try await !self.store.authentications(earlier, after: nil, limit: 1).isEmpty else { return 0 }
            var count = 0
            while true {
                let gone = try await self.store.deleteAuthentications(earlier, limit: Self.bite, as: end, audit: nil)
                count += gone.count
                if gone.isEmpty { return count }
            }
        case .signIn(let id):
            guard try await self.store.authentication(id) != nil else { return 0 }
            return try await self.store.deleteAuthentication(id, as: end, audit: nil) == nil ? 0 : 1
        case .device(let device):
            var count = 0
            for record in try await self.store.authentications(of: device, limit: Self.bite)
            where record.created <= ending.time {
                if try await self.store.deleteAuthentication(record.id, as: end, audit: nil) != nil { count += 1 }
            }
            return count
        }
    }
}
