package import Clientless
package import Entitlement

extension SQLiteStore {
    package func insert(
        _ record: RegistrationRecord, limitPerDevice: Int, now: Timestamp
    ) async throws(StoreError) -> CodeInsertion {
        // Made here: the writer is the one thread that all callers wait for.
        let insertion = CodeColumn.insertion(of: record)
        return try await self.write([], isLong: false) { (connection) throws(SQLiteFailure) in
            guard try connection.run(insertion) == 1 else { return .taken }
            let surplus = try Self.surplus(beside: record, limit: max(limitPerDevice, 1), now: now, on: connection)
            for code in surplus {
                try connection.run(
                    """
                    UPDATE latchkey.codes SET state = \(StateColumns.values(of: .cancelled).number), state_detail = NULL,
                        open_until = NULL, version = version + 1, \(raw: Self.withoutRawData) WHERE code = \(code)
                    """)
                connection.note(.code(code))
            }
            return .inserted(cancelled: surplus)
        }
    }

    /// The oldest open codes of the device and requestor of `newest` beyond `limit`.
    private static func surplus(
        beside newest: RegistrationRecord, limit: Int, now: Timestamp, on connection: SQLiteConnection
    ) throws(SQLiteFailure) -> [RegistrationCodeText] {
        let device = newest.context.device
        // Answered from the index alone; for almost every device the walk is over one entry. The text is made once.
        let beyond = SQL(
            raw: "SELECT 1 FROM latchkey.codes WHERE device = $1 AND open_until > $2 LIMIT 1 OFFSET $3",
            [device.sqlValue, now.sqlValue, limit.sqlValue])
        guard try connection.finds(beyond) else { return [] }
        // Only now it matters that other requestors have codes on the device too.
        let rivals = try connection.all(
            """
            SELECT code FROM latchkey.codes WHERE device = \(device) AND open_until > \(now)
                AND requestor = \(newest.requestor) AND code <> \(newest.code) ORDER BY generated, sequence
            """
        ) { (row) throws(SQLiteFailure) -> RegistrationCodeText in try row.value() }
        return Array(rivals.prefix(max(0, rivals.count + 1 - limit)))
    }

    package func liveCodeCount(now: Timestamp) async throws(StoreError) -> Int {
        // Answered from the index alone, which holds what is open until when, too.
        try await self.count("SELECT count(*) FROM latchkey.codes WHERE expires > \(now) AND open_until IS NOT NULL")
    }
}
