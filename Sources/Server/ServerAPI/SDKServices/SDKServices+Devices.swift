import Clientless
import Entitlement
import HTTPServer

// `indiv/devices`: what a box is called here, and the pass that goes with the name (sdk-services 2).
extension SDKServices {
    /// Bytes of a fingerprint.
    private static let fingerprintLengths = 1...512

    static let deviceEndpoints: [Endpoint<SDKServices>] = [
        Endpoint(
            [(.post, "/indiv/devices", "individualiseDevice")], name: "sdk-devices", .sdk,
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

// `boxes` and `boxLogout`: the viewer's boxes, for the viewer. Extensions of this server. They take the AuthN document,
// not the device ID alone: what is told here is of other boxes, and the document is in the box that signed in.
extension SDKServices {
    private static let section = "an extension of this server"

    private typealias BoxList = (boxes: [(box: OwnBox, isCaller: Bool)], hasMore: Bool)
    private static let boxList = Shape<BoxList>(
        .init("boxes", of: Shapes.ownBox, \.boxes), .init("more", \.hasMore))

    static let boxEndpoints: [Endpoint<SDKServices>] = [
        operation(
            ["boxes"], "List the boxes that the viewer is signed in on",
            "Those that signed in with the same account for the same requestor: this one first, then the others, the "
                + "newest sign-in first. At most 50.",
            section: section, bodyLimit: .documents, fields: [.sdkToken],
            answers: [.sdkInJSON("The boxes.", boxList.schema(.json)), .sdkExpired] + APIAnswer.sdkFailures(),
            handler: .box { try await $0.boxes($1) }),
        operation(
            ["boxLogout"], "Sign out another box of the viewer",
            "That box learns of it with its next call. Its own sign-in a box ends with `logout`.", section: section,
            bodyLimit: .documents,
            fields: [
                .sdkToken,
                .required("box", .text(8...64), "The box, as `boxes` names it; its hyphen may be left out."),
            ],
            answers: [
                .sdk("The presented token is no more."), .empty(204, "Signed out."),
                .sdkRefusal(404, "The viewer has no such box, or it is this one."), .sdkExpired,
            ] + APIAnswer.sdkFailures(),
            handler: .box { try await $0.logoutBox($1) }),
    ]

    private func boxes(_ call: SDKCall) async throws -> HTTPResponse {
        let record = try await self.presented(call)
        let list = try await self.domain.boxes.list(for: record, requestor: call.requestor, now: call.now)
        let boxes = list.boxes.enumerated().map { (box: $0.element, isCaller: $0.offset == 0) }
        return Answer.object("boxes", Self.boxList, (boxes, list.hasMore), .json)
    }

    private func logoutBox(_ call: SDKCall) async throws -> HTTPResponse {
        guard let handle = BoxHandle(try call.call.required("box")) else { throw WireError.invalid("box") }
        let record = try await self.presented(call)
        guard try await self.domain.boxes.signOut(handle, for: record, requestor: call.requestor, now: call.now)
        else { throw SDKRefusal.unknownBox }
        return Answer.empty(.noContent)
    }
}
