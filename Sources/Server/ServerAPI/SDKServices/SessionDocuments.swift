import Clientless
import Entitlement
import HTTPServer

/// What a box gets for a sign-in: the token it keeps, and what the requestor may know of the viewer (sdk-services 3).
struct SessionDocuments: Hashable, Sendable {
    let authentication: String
    /// JSON (access-enabler 13.3).
    let userMetadata: String

    var response: HTTPResponse {
        SDKAnswer.result([("authnToken", self.authentication), ("userMeta", self.userMetadata)])
    }
}

extension SDKServices {
    /// The documents of `record` for the device that may have them.
    func documents(
        of record: AuthNRecord, device: DeviceID, requestor: RequestorID, now: Timestamp
    ) async throws(EntitlementError) -> SessionDocuments {
        SessionDocuments(
            authentication: try self.domain.documents.authenticationDocument(of: record, device: device),
            userMetadata: try await self.userMetadata(of: record, requestor: requestor, now: now))
    }
}
