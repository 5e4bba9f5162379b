import Clientless
import Entitlement
import HTTPServer

// `tokens/usermetadata`: what the requestor may know of the viewer (rest-v1 19).
extension RESTv1 {
    static let metadataEndpoints: [Endpoint<RESTv1>] = [
        Endpoint(
            [(.get, "/api/v1/tokens/usermetadata", "readUserMetadata")], name: "tokens-usermetadata", .metadata,
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
        let now = device.call.now
        let signIn = try await self.domain.signIns.signedIn(try self.context(of: device.call), requestor, now: now)
        let metadata = try await self.domain.metadata.userMetadata(of: signIn, requestor: requestor, now: now)
        guard let metadata else { throw WireError.metadataNotFound }
        let released = ReleasedMetadata(metadata, key: self.context.metadataKeys[requestor])
        guard !released.values.isEmpty else { throw WireError.metadataNotFound }
        return Answer.document(released.document, device.call.format)
    }
}

// `config`: which providers a viewer may pick (rest-v1 12).
extension RESTv1 {
    private static let list = "The list, in the order it is to be shown."

    static let configurationEndpoints: [Endpoint<RESTv1>] = [
        Endpoint(
            [(.get, "/api/v1/config/{requestor}", "readConfiguration")], name: "config", .providers,
            "List the providers of a requestor", section: "rest-v1 12", requestor: .path, limits: .devices,
            bodyLimit: .page,
            fields: [.optional("deviceType", APIField.shortText, "Deprecated; ignored."), .format],
            answers: [
                .document(
                    200, list, json: "Configuration", xml: "ConfigurationDocument", headers: [.vary],
                    caching: APIAnswer.kept),
                .error(400, "`Invalid requestor`", .authentication), .tooManyRequests, .foreignOrigin,
            ], errors: .classic(.authentication),
            handler: .immediate { face, request in
                face.configuration(request, Call.preference(of: request, request.query).format)
            }),
        // XML always, whatever the suffix (rest-v1 3.5).
        Endpoint(
            [
                (.get, "/adobe-services/config/{requestor}", "readConfigurationDocument"),
                (.get, "/adobe-services/1.0/config/{requestor}", "readConfigurationDocument1"),
            ], name: "config-sdk", .providers, "List the providers of a requestor, always in XML",
            section: "rest-v1 12", requestor: .path,
            limits: .devices, bodyLimit: .page, fields: [],
            answers: [
                APIAnswer(
                    200, list, [.xml(.named("ConfigurationDocument"))], headers: [.vary], caching: APIAnswer.kept),
                .error(400, "`Invalid requestor`", .authentication), .tooManyRequests, .foreignOrigin,
            ], errors: .classic(.authentication),
            handler: .immediate { face, request in face.configuration(request, .xml) }),
    ]

    private func configuration(_ request: HTTPRequest, _ format: WireFormat) -> HTTPResponse {
        self.configurations.response(
            for: request.segment("requestor"), format, self.domain.degradations.inForce, now: self.context.now())
            ?? Answer.error(.invalid("requestor"), format)
    }
}
