package import Entitlement

/// One node has a file to itself, and no other to tell anything.
extension SQLiteStore {
    package var isShared: Bool { false }

    package func post(_ sheet: NodeSheet) async throws(StoreError) {}

    package func newestSheets() async throws(StoreError) -> [String: Int64] { [:] }

    package func sheets(of node: String, after number: Int64) async throws(StoreError) -> [NodeSheet] { [] }
}
