import Clientless
import Entitlement
import HTTPServer

// `tokens/usermetadata`: what the requestor may know of the viewer (rest-v1 19).
extension RESTv1 {
    func addMetadataRoutes(to router: inout Router) {
        router.on(.get, path: "/api/v1/tokens/usermetadata", name: "tokens-usermetadata", group: self.throttled) {
            self.device($0, .metadata) { try await self.metadata($0) }
        }
    }

    private func metadata(_ device: DeviceCall) async throws -> HTTPResponse {
        let requestor = try device.requestor()
        let metadata = try await self.domain.metadata.userMetadata(
            try self.context(of: device.call), requestor: requestor, now: device.call.now)
        guard let metadata else { throw WireError.metadataNotFound }
        let released = ReleasedMetadata(metadata, key: self.metadataKeys[requestor])
        guard !released.values.isEmpty else { throw WireError.metadataNotFound }
        return Answer.document(.userMetadata(released), device.call.format)
    }
}
