package import Clientless
package import Entitlement

extension RecordStore {
    package func credentials() async throws(StoreError) -> (
        keyPairs: [KeyPairRecord], applications: [ApplicationRecord]
    ) {
        try await self.snapshot { (session) throws(Failure) in (try session.keyPairs(), try session.applications()) }
    }

    package func save(_ keyPair: KeyPairRecord, audit: AuditEntry) async throws(StoreError) {
        try await self.write([.named(.keyPair, keyPair.publicKey)]) { (session) throws(Failure) -> Void in
            try session.keep(keyPair)
            try session.log(audit)
        }
    }

    package func save(_ application: ApplicationRecord, audit: AuditEntry) async throws(StoreError) {
        try await self.write([.named(.application, application.softwareID)]) { (session) throws(Failure) -> Void in
            let statements: [SQL] = [
                "DELETE FROM latchkey.applications WHERE software_id = \(application.softwareID)",
                ApplicationColumn.insertion(of: application),
            ]
            let lists = [
                ("requestors", application.requestors.map(\.text)), ("targets", application.redirectTargets),
                ("scopes", application.scopes),
            ]
            try session.run(
                statements
                    + lists.flatMap { list, texts in
                        SQL.list(
                            texts, in: "application_lists (software_id, list, place, value)",
                            of: application.softwareID, list)
                    })
            session.note(.credentials)
            try session.log(audit)
        }
    }

    package func endKeyPair(
        _ publicKey: String, at moment: Timestamp, audit: AuditEntry
    ) async throws(StoreError) -> KeyPairRecord? {
        try await self.write([.named(.keyPair, publicKey)]) { (session) throws(Failure) in
            try session.end("latchkey.key_pairs", where: "public_key", is: publicKey, at: moment, audit)
            return try session.keyPairs().first { $0.publicKey == publicKey }
        }
    }

    package func reseal(_ publicKey: String, from old: [UInt8], to new: [UInt8]) async throws(StoreError) -> Bool {
        try await self.write([.named(.keyPair, publicKey)]) { (session) throws(Failure) in
            let changed = try session.run(
                """
                UPDATE latchkey.key_pairs SET sealed_private_key = \(new)
                    WHERE public_key = \(publicKey) AND sealed_private_key = \(old)
                """)
            if changed > 0 { session.note(.credentials) }
            return changed > 0
        }
    }

    package func endApplication(
        _ softwareID: String, at moment: Timestamp, audit: AuditEntry
    ) async throws(StoreError) -> ApplicationRecord? {
        try await self.write([.named(.application, softwareID)]) { (session) throws(Failure) in
            try session.end("latchkey.applications", where: "software_id", is: softwareID, at: moment, audit)
            return try session.applications().first { $0.softwareID == softwareID }
        }
    }

    package func insert(_ client: ClientRecord, quota: ClientQuota?) async throws(StoreError) -> Bool {
        try await self.write([.named(.application, client.softwareID)]) { (session) throws(Failure) in
            if let quota {
                // Answered from the index, and no further than to the quota.
                let number = max(quota.number, 0)
                let found = try session.count(
                    """
                    SELECT count(*) FROM (SELECT 1 FROM latchkey.clients WHERE software_id = \(client.softwareID)
                        AND created >= \(quota.since) LIMIT \(number)) AS found
                    """)
                if found >= number { return false }
            }
            try session.run(
                [ClientColumn.insertion(of: client)]
                    + SQL.list(
                        client.redirectURIs, in: "client_redirects (client_id, place, uri)", of: client.clientID))
            return true
        }
    }

    package func client(_ clientID: String) async throws(StoreError) -> ClientRecord? {
        try await self.snapshot { (session) throws(Failure) in
            let uris = try session.texts(
                "SELECT uri FROM latchkey.client_redirects WHERE client_id = \(clientID) ORDER BY place")
            return try session.first(
                "SELECT \(ClientColumn.self) FROM latchkey.clients WHERE client_id = \(clientID)"
            ) { (row) throws(Failure) in try ClientColumn.record(from: &row, redirectURIs: uris) }
        }
    }

    package func markUsed(_ clientID: String, at moment: Timestamp) async throws(StoreError) {
        try await self.write(
            [.named(.client, clientID)],
            """
            UPDATE latchkey.clients SET last_used = \(moment) WHERE client_id = \(clientID) AND last_used < \(moment)
            """)
    }

    package func deleteClient(_ clientID: String, audit: AuditEntry) async throws(StoreError) -> Bool {
        try await self.write([.named(.client, clientID)]) { (session) throws(Failure) in
            guard try session.run("DELETE FROM latchkey.clients WHERE client_id = \(clientID)") == 1
            else { return false }
            session.note(.client(clientID))
            try session.log(audit)
            return true
        }
    }
}

extension RecordSession {
    /// Lets a credential end at `moment`, unless it ends earlier already.
    fileprivate func end(
        _ table: String, where key: String, is name: String, at moment: Timestamp, _ audit: AuditEntry
    ) throws(Row.Failure) {
        let changed = try self.run(
            """
            UPDATE \(raw: table) SET ends = \(moment)
                WHERE \(raw: key) = \(name) AND (ends IS NULL OR ends > \(moment))
            """)
        guard changed > 0 else { return }
        self.note(.credentials)
        try self.log(audit)
    }

    fileprivate func keyPairs() throws(Row.Failure) -> [KeyPairRecord] {
        let requestors = try self.lists(
            "SELECT public_key, requestor FROM latchkey.key_pair_requestors ORDER BY public_key, place"
        ) { (row) throws(Row.Failure) -> RequestorID in try row.value() }
        return try self.all("SELECT \(KeyPairColumn.self) FROM latchkey.key_pairs ORDER BY public_key") {
            (row) throws(Row.Failure) in try KeyPairColumn.record(from: &row) { requestors[$0] ?? [] }
        }
    }

    func keep(_ keyPair: KeyPairRecord) throws(Row.Failure) {
        // The lists of a replaced row go with it.
        let statements: [SQL] = [
            "DELETE FROM latchkey.key_pairs WHERE public_key = \(keyPair.publicKey)",
            KeyPairColumn.insertion(of: keyPair),
        ]
        try self.run(
            statements
                + SQL.list(
                    keyPair.requestors.map(\.text), in: "key_pair_requestors (public_key, place, requestor)",
                    of: keyPair.publicKey))
        self.note(.credentials)
    }

    fileprivate func applications() throws(Row.Failure) -> [ApplicationRecord] {
        func list(_ name: String) -> SQL {
            "SELECT software_id, value FROM latchkey.application_lists WHERE list = \(name) ORDER BY software_id, place"
        }
        let requestors = try self.lists(list("requestors")) { (row) throws(Row.Failure) -> RequestorID in
            try row.value()
        }
        let targets = try self.lists(list("targets")) { (row) throws(Row.Failure) in try row.text() }
        let scopes = try self.lists(list("scopes")) { (row) throws(Row.Failure) in try row.text() }
        return try self.all("SELECT \(ApplicationColumn.self) FROM latchkey.applications ORDER BY software_id") {
            (row) throws(Row.Failure) in
            let softwareID: String = try row.value(ApplicationColumn.softwareID)
            return try ApplicationColumn.record(
                from: &row, requestors: requestors[softwareID] ?? [], targets: targets[softwareID] ?? [],
                scopes: scopes[softwareID] ?? [])
        }
    }
}

extension RecordStore {
    package func setUpCodes(at now: Timestamp) async throws(StoreError) -> [SetUpCodeRecord] {
        try await self.read(
            """
            SELECT \(SetUpCodeColumn.self) FROM latchkey.set_up_codes WHERE expires > \(now) ORDER BY created DESC, hash
            """, SetUpCodeColumn.record(from:))
    }

    package func clients(of softwareID: String, limit: Int) async throws(StoreError) -> [ClientRecord] {
        try await self.read(
            """
            SELECT \(ClientColumn.self) FROM latchkey.clients WHERE software_id = \(softwareID)
                ORDER BY created DESC, client_id LIMIT \(limit)
            """
        ) { (row) throws(Failure) in try ClientColumn.record(from: &row, redirectURIs: []) }
    }

    package func insert(_ code: SetUpCodeRecord, now: Timestamp, audit: AuditEntry) async throws(StoreError) {
        try await self.write([SubjectKey(.setUpCode, code.hash)]) { (session) throws(Failure) -> Void in
            try session.run([
                "DELETE FROM latchkey.set_up_codes WHERE expires <= \(now)",
                SetUpCodeColumn.insertion(of: code),
            ])
            try session.log(audit)
        }
    }

    package func setUpCode(_ hash: [UInt8]) async throws(StoreError) -> SetUpCodeRecord? {
        try await self.read(
            "SELECT \(SetUpCodeColumn.self) FROM latchkey.set_up_codes WHERE hash = \(hash)",
            SetUpCodeColumn.record(from:)
        ).first
    }

    package func takeSetUpCode(
        _ hash: [UInt8], keeping keyPair: KeyPairRecord?, audit: [AuditEntry]
    ) async throws(StoreError) -> Bool {
        let subjects = [SubjectKey(.setUpCode, hash)] + (keyPair.map { [.named(.keyPair, $0.publicKey)] } ?? [])
        return try await self.write(subjects) { (session) throws(Failure) in
            guard try session.run("DELETE FROM latchkey.set_up_codes WHERE hash = \(hash)") > 0 else { return false }
            if let keyPair { try session.keep(keyPair) }
            for entry in audit { try session.log(entry) }
            return true
        }
    }
}
