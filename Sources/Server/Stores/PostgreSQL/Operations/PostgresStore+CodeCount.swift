package import Clientless
package import Entitlement

extension PostgresStore {
    /// How many pages of the table are looked at where not every code is counted, about.
    private static let sampledPages: Int64 = 2000

    package func liveCodeCount(now: Timestamp) async throws(StoreError) -> Int {
        // Answered from the index alone: it holds what is open until when, too.
        let counted = try await self.number(
            """
            SELECT count(*) FROM (SELECT FROM latchkey.codes WHERE expires > \(now) AND open_until IS NOT NULL
                LIMIT \(self.mostCounted)) AS open
            """)
        guard counted >= self.mostCounted else { return counted }
        return max(counted, try await self.estimatedCodeCount(now: now))
    }

    /// How many codes are open, from so many pages of the table that they are soon read, however large it is.
    private func estimatedCodeCount(now: Timestamp) async throws(StoreError) -> Int {
        // Codes of one time stand together, so that a page is as a rule wholly open or wholly over: of two thousand pages a tenth
        // that is open is found within some percent of it.
        try await self.number(
            """
            SELECT (count(*) * greatest(1, pg_relation_size('latchkey.codes') / current_setting('block_size')::bigint
                / \(Self.sampledPages)::bigint::float8))::bigint FROM latchkey.codes TABLESAMPLE SYSTEM (least(100, 100 * \(Self.sampledPages)::bigint::float8
                / greatest(1, pg_relation_size('latchkey.codes') / current_setting('block_size')::bigint)))
                WHERE expires > \(now) AND open_until IS NOT NULL
            """)
    }

    private func number(_ statement: SQL) async throws(StoreError) -> Int {
        let numbers = try await self.read(statement) { (row) throws(PostgresFailure) -> Int in
            Int(try row.integer())
        }
        return numbers.first ?? 0
    }
}
