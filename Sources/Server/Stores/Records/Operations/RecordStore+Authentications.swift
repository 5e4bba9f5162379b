package import Entitlement

extension RecordStore {
    package func insert(_ authentication: AuthNRecord) async throws(StoreError) {
        try await self.write([.device(authentication.context.device)]) { (session) throws(Failure) in
            try session.keep(authentication)
        }
    }

    package func update(_ authentication: AuthNRecord) async throws(StoreError) -> Bool {
        try await self.write(
            [.signIn(authentication.id)],
            [
                """
                UPDATE latchkey.authentications SET expires = \(authentication.expires),
                    sealed_session = \(authentication.sealedSession),
                    provider_session = \(authentication.providerSession), version = version + 1
                    WHERE id = \(authentication.id) AND version = \(authentication.version) RETURNING device
                """
            ], reading: { (row) throws(Failure) -> DeviceHash in try row.value() }
        ) { (session, devices) throws(Failure) in
            for device in devices { session.note(.device(device)) }
            return !devices.isEmpty
        }
    }

    package func authentication(_ id: AuthNID) async throws(StoreError) -> AuthNRecord? {
        try await self.read(
            "SELECT \(AuthenticationColumn.self) FROM latchkey.authentications WHERE id = \(id)",
            AuthenticationColumn.record(from:)
        ).first
    }

    package func authentications(of device: DeviceHash, limit: Int) async throws(StoreError) -> [AuthNRecord] {
        try await self.read(AuthenticationColumn.newest(of: device, limit: limit), AuthenticationColumn.record(from:))
    }

    package func authentications(
        _ selection: AuthNSelection, after previous: AuthNID?, limit: Int
    ) async throws(StoreError) -> [AuthNRecord] {
        try await self.read(
            """
            SELECT \(AuthenticationColumn.self) FROM latchkey.authentications
                WHERE \(selection.condition) AND id > \(previous?.text ?? "") ORDER BY id LIMIT \(max(limit, 0))
            """, AuthenticationColumn.record(from:))
    }

    package func newestAuthentications(
        _ selection: AuthNSelection, before last: AuthNRecord?, limit: Int
    ) async throws(StoreError) -> [AuthNRecord] {
        let rest: SQL =
            last.map { "\(selection.condition) AND (created, id) < (\($0.created), \($0.id))" } ?? selection.condition
        return try await self.read(
            """
            SELECT \(AuthenticationColumn.self) FROM latchkey.authentications WHERE \(rest)
                ORDER BY created DESC, id DESC LIMIT \(max(limit, 0))
            """, AuthenticationColumn.record(from:))
    }

    package func endedSignIns(_ selection: EndedSelection, limit: Int) async throws(StoreError) -> [EndedSignIn] {
        try await self.read(
            """
            SELECT \(EndedSignInColumn.self) FROM latchkey.ended_sign_ins WHERE \(selection.condition)
                ORDER BY ended DESC, sequence DESC LIMIT \(max(limit, 0))
            """, EndedSignInColumn.record(from:))
    }

    package func deleteAuthentication(
        _ id: AuthNID, as end: SignInEnd, audit: AuditEntry?
    ) async throws(StoreError) -> AuthNRecord? {
        try await self.write([.signIn(id)]) { (session) throws(Failure) -> AuthNRecord? in
            guard let erased = try session.erase(id, end) else { return nil }
            try session.log(audit)
            return erased
        }
    }

    package func deleteAuthentications(
        _ context: DeviceContext, as end: SignInEnd, audit: AuditEntry?
    ) async throws(StoreError) -> [AuthNRecord] {
        try await self.write([.device(context.device)]) { (session) throws(Failure) in
            // The domain says what a context admits, and a device has few records.
            let held = try session.all(
                AuthenticationColumn.newest(of: context.device), AuthenticationColumn.record(from:))
            let erased = try session.erase(held.filter { context.admits($0.context) }.map(\.id), end)
            try session.log(audit)
            return erased
        }
    }

    package func deleteAuthentications(
        _ selection: AuthNSelection, limit: Int, as end: SignInEnd, audit: AuditEntry?
    ) async throws(StoreError) -> [AuthNRecord] {
        try await self.write([]) { (session) throws(Failure) in
            // The first that are found: to put all in an order takes SQLite a tenth of a second each time.
            let selected: [AuthNID] = try session.all(
                "SELECT id FROM latchkey.authentications WHERE \(selection.condition) LIMIT \(max(limit, 0))"
            ) { (row) throws(Failure) in try row.value() }
            // In the order of their IDs, so that two that erase the same ones do not wait for each other.
            let erased = try session.erase(selected.sorted { $0.text < $1.text }, end)
            try session.log(audit)
            return erased
        }
    }
}

extension RecordSession {
    /// Keeps `record`, and erases what the domain says it ends. Its device is a subject of the transaction.
    func keep(_ record: AuthNRecord) throws(Row.Failure) {
        let held = try self.all(
            AuthenticationColumn.newest(of: record.context.device), AuthenticationColumn.record(from:))
        _ = try self.erase(record.ended(among: held).map(\.id), SignInEnd(replacedBy: record))
        try self.run(AuthenticationColumn.insertion(of: record))
        self.note(.device(record.context.device))
    }

    fileprivate func erase(_ ids: [AuthNID], _ end: SignInEnd) throws(Row.Failure) -> [AuthNRecord] {
        var erased: [AuthNRecord] = []
        for id in ids { if let record = try self.erase(id, end) { erased.append(record) } }
        return erased
    }

    /// Erases a record with its AuthZ records, which go with the row they refer to, keeps its end, and tells of device and
    /// code.
    fileprivate func erase(_ id: AuthNID, _ end: SignInEnd) throws(Row.Failure) -> AuthNRecord? {
        let erased = try self.first(
            "DELETE FROM latchkey.authentications WHERE id = \(id) RETURNING \(AuthenticationColumn.self)",
            AuthenticationColumn.record(from:))
        guard let erased else { return nil }
        if let ended = EndedSignIn(erased, end) { try self.run(EndedSignInColumn.insertion(of: ended)) }
        self.note(.device(erased.context.device))
        if let code = erased.code { self.note(.code(code)) }
        return erased
    }
}

extension AuthenticationColumn {
    fileprivate static func newest(of device: DeviceHash, limit: Int = .max) -> SQL {
        """
        SELECT \(Self.self) FROM latchkey.authentications WHERE device = \(device) ORDER BY created DESC, sequence DESC
            LIMIT \(max(limit, 0))
        """
    }
}

extension AuthNSelection {
    package var condition: SQL {
        SQL(all: [
            ("device >=", self.devices?.lowerBound.sqlValue), ("device <=", self.devices?.upperBound.sqlValue),
            ("mvpd =", self.mvpd?.sqlValue), ("user_id =", self.userID?.sqlValue),
            ("requestor =", self.requestor?.sqlValue), ("code =", self.code?.sqlValue),
            ("provider_session =", self.providerSession?.sqlValue), ("created >=", self.since?.sqlValue),
            ("created <", self.before?.sqlValue), ("expires >", self.endingAfter?.sqlValue),
        ])
    }
}

extension EndedSelection {
    fileprivate var condition: SQL {
        SQL(all: [
            ("id =", self.id?.sqlValue), ("device =", self.device?.sqlValue), ("mvpd =", self.mvpd?.sqlValue),
            ("user_id =", self.userID?.sqlValue), ("requestor =", self.requestor?.sqlValue),
            ("device >=", self.devices?.lowerBound.sqlValue), ("device <=", self.devices?.upperBound.sqlValue),
            ("ended >=", self.since?.sqlValue), ("ended <", self.before?.sqlValue),
        ])
    }
}

extension SQL {
    /// The comparisons that have a value, all of which must hold.
    fileprivate init(all comparisons: [(String, SQLValue?)]) {
        self = "true"
        for case (let comparison, let value?) in comparisons { self = "\(self) AND \(raw: comparison) \(value)" }
    }
}
