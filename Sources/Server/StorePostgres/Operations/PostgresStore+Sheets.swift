import Clientless
package import Entitlement
import StoreRecords

extension PostgresStore {
    package var isShared: Bool { true }

    package func post(_ sheet: NodeSheet) async throws(StoreError) {
        // A node writes its own rows alone, one after the other.
        _ = try await self.writeBriefly { (session) throws(PostgresFailure) -> [Ticket] in
            [
                try session.send(
                    """
                    INSERT INTO latchkey.sheets (node, place, number, ends, content) VALUES ($1, $2, $3, $4, $5)
                        ON CONFLICT (node, place) DO UPDATE SET number = excluded.number, ends = excluded.ends,
                            content = excluded.content
                    """,
                    [
                        .text(sheet.node), .integer(sheet.number % NodeSheet.kept), .integer(sheet.number),
                        .time(sheet.ends), .blob(sheet.content),
                    ])
            ]
        } finish: { (session, tickets) throws(PostgresFailure) -> Int in
            try session.count(of: tickets[0])
        }
    }

    package func newestSheets() async throws(StoreError) -> [String: Int64] {
        let found = try await self.read("SELECT node, max(number) FROM latchkey.sheets GROUP BY node") {
            (row) throws(PostgresFailure) in (node: try row.text(), number: try row.integer())
        }
        return Dictionary(found.map { ($0.node, $0.number) }) { max($0, $1) }
    }

    package func sheets(of node: String, after number: Int64) async throws(StoreError) -> [NodeSheet] {
        try await self.read(
            "SELECT number, ends, content FROM latchkey.sheets WHERE node = $1 AND number > $2 ORDER BY number",
            [.text(node), .integer(number)]
        ) { (row) throws(PostgresFailure) in
            NodeSheet(node: node, number: try row.integer(), ends: try row.timestamp(), content: try row.blob())
        }
    }
}
