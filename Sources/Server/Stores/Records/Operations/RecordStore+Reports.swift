package import Clientless
package import Entitlement

extension RecordStore {
    package func add(_ counts: [ReportCount], batch: String, until end: Timestamp) async throws(StoreError) {
        // Nodes count the same things. All go through the rows in one order, so that no two wait for each other.
        let sorted = counts.map { (order: $0.order, count: $0) }
            .sorted { $0.order.lexicographicallyPrecedes($1.order) }.map(\.count)
        let batch: SQL =
            "INSERT INTO latchkey.nonces (public_key, nonce, expires) VALUES ('reports', \(batch), \(end))"
        _ = try await self.write([], [batch] + sorted.map(ReportColumn.insertion), isPassing: false)
    }

    package func reportCounts(_ selection: ReportSelection, limit: Int) async throws(StoreError) -> [ReportCount] {
        try await self.read(ReportColumn.question(selection, limit: limit), ReportColumn.count(from:))
    }
}

extension ReportCount {
    /// Rows are in one order by it, on every node.
    fileprivate var order: [String] {
        [
            String(self.key.hour), self.key.requestor.text, self.key.mvpd?.text ?? "", self.key.model.deviceType,
            self.key.model.platform, self.key.event.rawValue,
        ]
    }
}
