import Clientless
import Entitlement
import HTTPServer

// `regcode`: create, read, delete (rest-v1 11).
extension RESTv1 {
    private static let codes = "/reggie/v1/{requestor}/regcode"
    private static let url = JSONSchema.text(0...2048)

    static let codeEndpoints: [Endpoint<RESTv1>] = [
        Endpoint(
            [(.post, codes, "createCode")], name: "regcode-create", .codes, "Ask for a registration code",
            "The same device may hold ten codes of a requestor; one more ends the oldest.", section: "rest-v1 11.1",
            requestor: .path, limits: .devices, bodyLimit: .form, headers: APIField.deviceHeaders,
            fields: APIField.deviceOfPath + [
                .optional("mvpd", APIField.mvpdName, "The provider the viewer shall sign in at."),
                .optional(
                    "ttl", .text(0...9, pattern: "^[0-9]*$").standard(.string("1800")).example(.string("1800")),
                    "Life of the code in seconds, 1 to 36000; for a box itself an hour at most."),
                .optional("registrationURL", url, "The page that takes the code, as the device shows it."),
                .optional("appVersion", APIField.shortText, "Deprecated. For information."),
            ],
            answers: [
                .document(
                    201, "The code.", json: "RegistrationCode", xml: "RegistrationCodeDocument", headers: [.shortURL])
            ] + APIAnswer.device(invalid: APIAnswer.missing), errors: .devices(.registrationCode),
            // A box waits for it, and it takes little until the store has its turn.
            handler: .device({ try await $0.createCode($1) }, beginsHere: true)),
        Endpoint(
            [(.get, codes + "/{code}", "readCode")], name: "regcode-read", .codes,
            "Look at a registration code",
            "For pages that take codes. The answer has no device ID if the requestor hides it.",
            section: "rest-v1 11.2", requestor: .path, limits: .guessers, bodyLimit: .page, fields: [.format],
            answers: [
                .document(200, "The code.", json: "RegistrationCode", xml: "RegistrationCodeDocument"),
                .error(404, "`Not Found`: unknown, over, or another requestor's.", .authentication), .foreignOrigin,
            ] + APIAnswer.always, errors: .classic(.registrationCode), handler: .open { try await $0.readCode($1) }),
        deletion(codes + "/{code}", "deleteCode", requestor: .path),
        // An example in the sources leaves the requestor out of the path (rest-v1 11.3).
        deletion("/reggie/v1/regcode/{code}", "deleteCodeOfCredential", requestor: .optionalParameter),
    ]

    private static func deletion(_ path: String, _ id: String, requestor: RequestorPlace) -> Endpoint<RESTv1> {
        Endpoint(
            [(.delete, path, id)], name: "regcode-delete", .codes, "End a registration code",
            "Sign-ins obtained with it stay. Without a requestor in the path those of the credential are meant.",
            section: "rest-v1 11.3", requestor: requestor, limits: .devices, bodyLimit: .page,
            headers: [.deviceInformationHeader],
            fields: [
                .optional(
                    "deviceId", .text(0...512),
                    "The device that asked for the code; of a strict requestor no other may end it."), .format,
            ],
            answers: [
                .empty(
                    204,
                    "This device has no such code any more. The code of another device stays, and the answer does not mention it."
                )
            ] + APIAnswer.device(invalid: APIAnswer.missing),
            errors: .devices(.registrationCode), handler: .device { try await $0.deleteCode($1) })
    }

    /// rest-v1 11.1.
    private func createCode(_ device: DeviceCall) async throws -> HTTPResponse {
        let call = device.call
        let requestor = try device.requestor()
        let request = try self.codeRequest(call, device.caller, requestor)
        let record = try await self.domain.codes.createCode(
            request, for: try Self.lifetime(call), by: device.guesser(self.addresses, device: request.context.device),
            credential: device.caller.publicCredential, now: call.now)
        let page = self.domain.catalogue.requestor(requestor)?.activationURL ?? self.ownPage
        let code = CodeDocument(record: record, page: page, hidesDevice: false)
        let response = code.response(call.format, status: .created)
        // The short address of a code whose page is ours. A field apart, since deployed clients read the document strictly.
        guard (record.request.registrationURL ?? page) == self.ownPage else { return response }
        return response.adding("Latchkey-Short-URL", self.shortAddress + record.code.text)
    }

    /// rest-v1 11.2. No caller is authenticated, so an unknown code counts as a guess.
    private func readCode(_ call: Call) async throws -> HTTPResponse {
        guard let requestor = RequestorID(call.request.segment("requestor")),
            let known = self.domain.catalogue.requestor(requestor),
            let code = RegistrationCodeText(call.request.segment("code"))
        else { throw WireError.codeNotFound }
        let record = try await self.domain.codes.lookUp(
            code, of: [requestor], for: .following, by: self.guesser(of: call), now: call.now)
        let page = known.activationURL ?? self.ownPage
        return CodeDocument(record: record, page: page, hidesDevice: known.hidesDeviceID).response(call.format)
    }

    /// rest-v1 11.3. A code that is not there is as deleted as one that was.
    private func deleteCode(_ device: DeviceCall) async throws -> HTTPResponse {
        if let code = RegistrationCodeText(device.call.request.segment("code")) {
            // A call without a requestor means those of its credential, never all.
            let requestors = device.caller.requestor.map { [$0] } ?? device.caller.allowed
            let named = device.call.parameters["deviceId"].flatMap { DeviceID(fromWire: $0) }
            let hash = named.map { self.domain.keys.deviceHash($0) }
            try await self.domain.codes.deleteCode(
                code, of: requestors, device: hash, by: device.guesser(self.addresses, device: hash),
                now: device.call.now)
        }
        return Answer.empty(.noContent)
    }
}
