import Clientless
import Entitlement
import HTTPServer

// `session` and `sessionDevice`: the box picks up its AuthN document (sdk-services 3).
extension SDKServices {
    private static let stateHeaders: [APIAnswer.Header] = [
        .codeState, .codeOpened, .providerReason, .preferenceApplied,
    ]

    static let sessionEndpoints: [Endpoint<SDKServices>] = [
        pickUp(
            "session", "By the code that led to it, or without `reg_code` the one this device has at a provider.",
            needsProvider: true),
        pickUp(
            "sessionDevice", "By the code that led to it, or without `reg_code` the one this device has.",
            needsProvider: false),
    ]

    private static func pickUp(_ name: String, _ text: String, needsProvider: Bool) -> Endpoint<SDKServices> {
        operation(
            [name], "Pick up the token of a sign-in", text, section: "sdk-services 3", bodyLimit: .form,
            headers: [.prefer],
            fields: [
                .optional("_method", .choice("GET"), "Ignored."),
                .optional("reg_code", .text(0...32), "The code that is polled."), .sdkOptionalProvider,
            ] + APIField.sdkContext,
            answers: [
                .sdk("The token.", "AuthenticationResult", headers: stateHeaders),
                .sdkRefusal(404, "Unknown, or another requestor's or device's.").adding(stateHeaders),
                .sdkRefusal(410, "`N130`: over; `details` says how.").adding(stateHeaders),
            ] + APIAnswer.sdkFailures(),
            handler: .devicePoll(
                Poller { try $0.question($1) },
                orElse: { face, device in
                    try await face.currentSession(SDKCall(device, face.domain), needsProvider: needsProvider)
                }))
    }

    /// Without a code: the token this device has for the requestor, at the provider the call names.
    private func currentSession(_ call: SDKCall, needsProvider: Bool) async throws -> HTTPResponse {
        let isNamed = call.call.parameters["mso_id"]?.isEmpty == false
        // A caller that names neither code nor provider is told of the one nearly every caller means.
        guard isNamed || !needsProvider else { throw WireError.missing("reg_code") }
        let record = try await self.domain.signIns.currentSignIn(
            call.context(self.domain), requestor: call.requestor, mvpd: isNamed ? call.mvpd() : nil, now: call.now)
        guard let record else { throw SDKRefusal.notSignedIn }
        return try await self.signedIn(call, record)
    }

    /// With a code: whether it is signed in.
    private func question(_ device: DeviceCall) throws -> SessionPoll? {
        guard let text = device.call.parameters["reg_code"], !text.isEmpty else { return nil }
        let call = try SDKCall(device, self.domain)
        guard let code = RegistrationCodeText(text) else { throw SessionPoll.unknownCode }
        let hash = self.domain.keys.deviceHash(call.device)
        return SessionPoll(
            face: self,
            place: device.call.place(Self.errors, call.requestor), code: code, requestor: call.requestor,
            device: call.device, deviceHash: hash, guesser: device.guesser(self.addresses, device: hash))
    }
}
