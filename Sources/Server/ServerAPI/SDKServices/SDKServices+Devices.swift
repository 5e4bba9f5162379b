import Clientless
import Entitlement
import HTTPServer

// `indiv/devices`: what a box is called here, and the pass that goes with the name (sdk-services 2).
extension SDKServices {
    /// Bytes of a fingerprint.
    private static let fingerprintLengths = 1...512

    static let deviceEndpoints: [Endpoint<SDKServices>] = [
        Endpoint(
            [.init(.post, "/indiv/devices", "individualiseDevice")], name: "sdk-devices", .sdk,
            "Get a name for a device",
            "The same fingerprint gives the same name, always and on every node. Deployed clients ask before they register: "
                + "no credential is needed.",
            section: "sdk-services 2", requestor: .optionalParameter, limits: .devices, bodyLimit: .page,
            headers: [.deviceInformationHeader],
            fields: [.required("fingerprint", .text(1...512), "The ID of the device; 1 to 512 bytes.")],
            body: .json,
            answers: [
                APIAnswer(
                    200, "The name.", [.json(.named("Device"))],
                    headers: [
                        .always(
                            "pass_sfp", .text(1...1024, pattern: "^[A-Za-z0-9_-]+$"),
                            "Proves that the device may have this name; later calls send it.")
                    ])
            ] + APIAnswer.sdkFailures().filter { $0.status != 401 }, errors: errors,
            handler: .open { try $0.individualise($1) })
    ]

    private func individualise(_ call: Call) throws -> HTTPResponse {
        guard let fingerprint = FlatJSONObject(call.request.body)?.text("fingerprint"),
            Self.fingerprintLengths.contains(fingerprint.utf8.count)
        else { throw WireError.invalid("fingerprint") }
        let name = self.domain.documents.individualDeviceID(of: fingerprint)
        guard let device = DeviceID(name) else { throw WireError.invalid("fingerprint") }
        let pass = try self.domain.documents.passDocument(for: device, now: call.now)
        return Answer.object("device", SDKAnswer.device, name, .json).adding("pass_sfp", pass)
    }
}
