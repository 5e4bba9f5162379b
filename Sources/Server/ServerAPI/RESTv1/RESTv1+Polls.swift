import Clientless
import Entitlement
import HTTPServer

// `checkauthn/{code}`, `checkauthn`, `authenticate/{code}`, `tokens/authn` (rest-v1 13.5, 14).
//
// These are the hot path: until a viewer signs in, everything here is a look into memory on the connection's thread.
extension RESTv1 {
    private static let signedIn = APIAnswer(
        200, "Signed in. Without a body and its type, or JSON's `{}` for a caller whose `Accept` names JSON.",
        headers: [.preferenceApplied])

    private static func held(_ answers: [APIAnswer]) -> [APIAnswer] {
        answers.map { $0.component == nil && $0.status != 400 ? $0.adding([.preferenceApplied]) : $0 }
    }

    private static let pickUps: [APIAnswer] = [
        .document(200, "The sign-in.", json: "Authentication"),
        .error(404, "`Not Found`: not yet, or no such code.", .authentication),
        .error(410, "`Gone`: the sign-in is over.", .authentication),
    ]

    static let pollEndpoints: [Endpoint<RESTv1>] = [
        Endpoint(
            [(.get, "/api/v1/checkauthn/{code}", "checkCode")], name: "checkauthn-code", .signIn,
            "Whether a code has led to a sign-in", "For the page a login came back to.", section: "rest-v1 14.1",
            requestor: .parameter, limits: .guessers, bodyLimit: .page, headers: [.prefer],
            fields: [.mandatoryRequestor, .format],
            answers: held(
                [
                    .error(400, "`requestor` is missing or unknown.", .authentication),
                    .error(403, "`Forbidden`: not yet, or never.", .authentication),
                ]) + [signedIn] + APIAnswer.always, errors: .devices(.authentication),
            handler: .openPoll(Poller { try $0.pageQuestion($1) })),
        Endpoint(
            [(.get, "/api/v1/checkauthn", "checkDevice")], name: "checkauthn", .signIn,
            "Whether a device is signed in", section: "rest-v1 14.2", requestor: .parameter, limits: .devices,
            bodyLimit: .page, headers: APIField.deviceHeaders + [.prefer], fields: APIField.device,
            answers: [signedIn]
                + held(
                    APIAnswer.device(
                        invalid: APIAnswer.missing,
                        forbidden: "`Authentication token not found` or `Authentication token expired`.")),
            errors: .devices(.authentication), handler: .devicePoll(Poller { try $0.question($1, readsToken: false) })),
        Endpoint(
            [(.get, "/api/v1/authenticate/{code}", "pickUpCode")], name: "authenticate-code", .signIn,
            "Pick up the sign-in a code has led to",
            "Changes nothing and may be repeated. A box that gives its `deviceId` is told the state of its code, too.",
            section: "rest-v1 13.5", requestor: .parameter, limits: .devices, bodyLimit: .page,
            headers: APIField.deviceHeaders + [.prefer],
            fields: [
                .requestor,
                .optional("deviceId", .text(0...512), "The device that asked for the code; to others it is unknown."),
                .format,
            ],
            answers: held(
                pickUps.map { $0.adding([.codeState, .codeOpened, .providerReason]) }
                    + APIAnswer.device(invalid: APIAnswer.missing)),
            errors: .devices(.authentication), handler: .devicePoll(Poller { try $0.codeQuestion($1) })),
        Endpoint(
            [(.get, "/api/v1/tokens/authn", "readAuthentication")], name: "tokens-authn", .signIn,
            "Read the sign-in of a device", "Reading does not lengthen it.", section: "rest-v1 14.3",
            requestor: .parameter, limits: .devices, bodyLimit: .page, headers: APIField.deviceHeaders + [.prefer],
            fields: APIField.device,
            answers: held(
                [
                    .document(200, "The sign-in.", json: "Authentication"),
                    .error(
                        404, "`Not Found` (in XML `Not found`): none that this requestor may see.", .authentication),
                    .error(410, "`Gone`: it is over.", .authentication),
                ] + APIAnswer.device(invalid: APIAnswer.missing)), errors: .devices(.authentication),
            handler: .devicePoll(Poller { try $0.question($1, readsToken: true) })),
    ]

    /// rest-v1 14.1. Asked by a page, so no caller is authenticated, whatever `Authorization` says.
    private func pageQuestion(_ call: Call) throws(WireError) -> CodePoll? {
        guard let name = call.requestorName, !name.isEmpty else { throw .missing("requestor") }
        guard let requestor = self.authenticator.catalogue.requestorID(named: name) else { throw .invalid("requestor") }
        guard let code = RegistrationCodeText(call.request.segment("code")) else { throw self.polls.forbidden.error }
        return CodePoll(
            face: self, code: code, requestor: requestor, isOfPage: true, guesser: self.guesser(of: call),
            place: call.place(.devices(.authentication), requestor))
    }

    /// rest-v1 14.2 and 14.3.
    private func question(_ device: DeviceCall, readsToken: Bool) throws(WireError) -> DevicePoll? {
        let requestor = try device.requestor()
        return DevicePoll(
            face: self, context: try self.context(of: device.call), requestor: requestor, readsToken: readsToken,
            place: device.call.place(.devices(.authentication), requestor))
    }

    /// rest-v1 13.5.
    private func codeQuestion(_ device: DeviceCall) throws(WireError) -> CodePoll? {
        let requestor = try device.requestor()
        var hash: DeviceHash?
        if let text = device.call.parameters["deviceId"], !text.isEmpty {
            guard let id = DeviceID(fromWire: text) else { throw .invalid("deviceId") }
            hash = self.domain.keys.deviceHash(id)
        }
        guard let code = RegistrationCodeText(device.call.request.segment("code")) else { throw .codeNotFound }
        return CodePoll(
            face: self, code: code, requestor: requestor, isOfPage: false, device: hash,
            guesser: device.guesser(self.addresses, device: hash),
            place: device.call.place(.devices(.authentication), requestor))
    }

    func refusal(_ error: PreparedError, in place: ErrorPlace) -> HTTPResponse {
        error[place.format, self.context.style(for: place.requestor, trace: place.trace)]
    }
}
