import Clientless
import Entitlement
import HTTPServer

// Platform SSO: the provider account of a device's operating system (rest-v1 21).
extension RESTv1 {
    private static let platforms: Set<String> = ["iOS", "tvOS"]

    static let platformEndpoints: [Endpoint<RESTv1>] = [
        Endpoint(
            [(.get, "/api/v1/{requestor}/profile-requests/{mvpd}", "readProfileRequest")],
            name: "profile-request", .platform, "Get the request to hand to the operating system",
            section: "rest-v1 21.1", requestor: .path, limits: .devices, bodyLimit: .page,
            headers: [.deviceInformationHeader],
            fields: [.required("deviceType", .choice("iOS", "tvOS"), "The operating system."), .format],
            answers: [
                APIAnswer(
                    200, "The request, to be passed on unread.",
                    [.init(type: "application/octet-stream", schema: .text())])
            ]
                + APIAnswer.device(
                    invalid: "`deviceType` is of no use, or there is nothing to ask for at this provider."),
            errors: .devices(.authentication), handler: .device { try $0.profileRequest($1) }),
        Endpoint(
            [(.post, "/api/v1/tokens/authn", "exchangeProfileResponse")], name: "platform-exchange", .platform,
            "Sign in with the operating system's answer", section: "rest-v1 21.2", requestor: .parameter,
            limits: .devices, bodyLimit: .assertion, headers: APIField.deviceHeaders,
            fields: [
                .requestor, .deviceID,
                .required("mvpd", APIField.mvpdName, "The provider of the account.").orElse("mso_id"),
                .required("deviceType", .choice("iOS", "tvOS"), "The operating system."),
                .required("SAMLResponse", .text(1...131_072), "The answer: Base64 of a SAML response."),
                .optional("deviceUser", APIField.shortText, "Deprecated."),
                .optional("appId", APIField.shortText, "Deprecated."), .format,
            ],
            answers: [.empty(204, "Signed in.")]
                + APIAnswer.device(invalid: "A parameter is missing or of no use, or the answer is not accepted."),
            errors: .devices(.authentication), handler: .device { try await $0.exchange($1) }),
    ]

    /// rest-v1 21.1: bytes for the operating system, whatever form the call asks for.
    private func profileRequest(_ device: DeviceCall) throws -> HTTPResponse {
        try Self.checkPlatform(device.call)
        guard let mvpd = MVPDID(device.call.request.segment("mvpd")),
            let bytes = self.domain.signIns.profileRequest(requestor: try device.requestor(), mvpd: mvpd)
        else { throw WireError.invalid("mvpd") }
        return Answer.content("application/octet-stream", bytes)
    }

    /// rest-v1 21.2: 204, or 400 whatever is wrong with what was sent.
    private func exchange(_ device: DeviceCall) async throws -> HTTPResponse {
        let call = device.call
        let requestor = try device.requestor()
        let context = try self.context(of: call)
        let name = try call.mvpdName("mvpd")
        try Self.checkPlatform(call)
        let response = try call.required("SAMLResponse")
        guard let mvpd = MVPDID(name), let boarding = self.domain.catalogue.integration(requestor, mvpd)?.platform,
            boarding.isEnabled, boarding.status == .supported
        else { throw WireError.invalid("mvpd") }
        _ = try await self.domain.signIns.platformSignIn(
            context, requestor: requestor, mvpd: mvpd, samlResponse: response, credential: device.caller.used,
            now: call.now)
        return Answer.empty(.noContent)
    }

    private static func checkPlatform(_ call: Call) throws(WireError) {
        guard self.platforms.contains(try call.required("deviceType")) else { throw .invalid("deviceType") }
    }
}
