import Clientless
import Entitlement
import HTTPServer

extension SDKServices {
    /// What `requestor` may know of the viewer, as JSON (access-enabler 13.3). A viewer of whom nothing is known has a
    /// document without values: the library keeps it beside the token like any other.
    func userMetadata(
        of record: AuthNRecord, requestor: RequestorID, now: Timestamp
    ) async throws(EntitlementError) -> String {
        let metadata =
            try await self.domain.metadata.userMetadata(of: record, requestor: requestor, now: now)
            ?? UserMetadata(updated: record.created, values: [], encryptedKeys: [])
        let released = ReleasedMetadata(metadata, key: self.metadataKeys[requestor])
        return String(decoding: WireDocument.userMetadata(released).bytes(.json), as: UTF8.self)
    }
}
