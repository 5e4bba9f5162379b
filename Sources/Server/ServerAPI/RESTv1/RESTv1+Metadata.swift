import Entitlement
import HTTPServer

// `tokens/usermetadata`: what the requestor may know of the viewer (rest-v1 19).
extension RESTv1 {
    static let metadataEndpoints: [Endpoint<RESTv1>] = [
        Endpoint(
            [.init(.get, "/api/v1/tokens/usermetadata", "readUserMetadata")], name: "tokens-usermetadata", .metadata,
            "Read what the provider says of the viewer", section: "rest-v1 19", requestor: .parameter,
            limits: .devices, bodyLimit: .page, headers: APIField.deviceHeaders, fields: APIField.device,
            answers: [
                .document(200, "The metadata.", json: "UserMetadata", xml: "UserMetadataDocument"),
                .error(404, "`Not Found`: signed in, and there is none.", .authentication, .authorization),
                .error(412, "`User not authenticated`", .authentication, .authorization),
            ] + APIAnswer.device(invalid: APIAnswer.missing), errors: .devices(.metadata),
            handler: .device { try await $0.metadata($1) })
    ]

    private func metadata(_ device: DeviceCall) async throws -> HTTPResponse {
        let requestor = try device.requestor()
        let metadata = try await self.domain.metadata.userMetadata(
            try self.context(of: device.call), requestor: requestor, now: device.call.now)
        guard let metadata else { throw WireError.metadataNotFound }
        let released = ReleasedMetadata(metadata, key: self.context.metadataKeys[requestor])
        guard !released.values.isEmpty else { throw WireError.metadataNotFound }
        return Answer.document(released.document, device.call.format)
    }
}
