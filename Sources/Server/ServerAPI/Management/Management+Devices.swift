import Clientless
import Entitlement
import HTTPServer

// `/management/v1/devices/records` and `/management/v1/authentications/{id}`: what is kept of a device, without
// anything that would let a reader act as it.
extension Management {
    private static let records = "/management/v1/devices/records"

    static let deviceEndpoints: [Endpoint<Management>] = [
        endpoint(
            .get, records, "listDeviceRecords", name: "management-device-records", .devices,
            "List the sign-ins and decisions of a device", limits: .devices, bodyLimit: .page,
            fields: [.deviceID, .format],
            answers: [
                .document(200, "The records.", json: "DeviceRecords", xml: "DeviceRecordsDocument")
            ] + APIAnswer.managementFailures
        ) { try await $0.deviceRecords($1.call, $1.caller) },
        endpoint(
            .delete, records, "deleteDeviceRecords", name: "management-device-records", .devices,
            "Sign a device out", limits: .devices, bodyLimit: .page, fields: [.deviceID, .format],
            answers: [.done] + APIAnswer.managementFailures
        ) { try await $0.deleteDeviceRecords($1.call, $1.caller) },
        endpoint(
            .delete, "/management/v1/authentications/{id}", "deleteAuthentication", name: "management-authentication",
            .devices, "End a sign-in", limits: .devices, bodyLimit: .page, fields: [.format],
            answers: [.done, .notThere] + APIAnswer.managementFailures
        ) { try await $0.deleteAuthentication($1.call, $1.caller) },
    ]

    /// `deviceId` is a parameter: it may hold any text, and paths are more often written down.
    private func deviceRecords(_ call: Call, _ caller: ManagementCaller) async throws -> HTTPResponse {
        let device = try call.deviceID()
        let authentications = try await self.domain.operations.records(of: device, within: caller.remit)
        let authorizations = try await self.domain.operations.decisions(of: device, within: caller.remit)
        let document = WireDocument(
            "deviceRecords",
            WireObject([
                .init("authentications", .array(authentications.map { .object(.authentication($0)) })),
                .init("authorizations", .array(authorizations.map { .object(.authorization($0)) })),
            ]))
        return Answer.document(document, call.format)
    }

    /// Signs the device out of the requestors the caller manages. 204 also when it was signed in nowhere.
    private func deleteDeviceRecords(_ call: Call, _ caller: ManagementCaller) async throws -> HTTPResponse {
        for record in try await self.domain.operations.records(of: try call.deviceID(), within: caller.remit) {
            _ = try await self.domain.operations.deleteRecord(record.id, actor: caller.actor, now: call.now)
        }
        return Answer.empty(.noContent)
    }

    /// A record of a requestor the caller does not manage is, to the caller, not there.
    private func deleteAuthentication(_ call: Call, _ caller: ManagementCaller) async throws -> HTTPResponse {
        let id = AuthNID(text: call.request.segment("id"))
        guard id.text.utf8.count == 32, id.text.utf8.allSatisfy(Self.isHexDigit) else { throw WireError.notFound }
        let record = try await self.domain.operations.deleteRecord(
            id, within: caller.remit, actor: caller.actor, now: call.now)
        guard record != nil else { throw WireError.notFound }
        return Answer.empty(.noContent)
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
        default: false
        }
    }
}

extension WireObject {
    /// Times are milliseconds as texts, as everywhere on this wire (rest-v1 3.9).
    fileprivate static func authentication(_ record: AuthNRecord) -> WireObject {
        WireObject([
            .init("id", .string(record.id.text)), .init("requestor", .string(record.requestor.text)),
            .init("mvpd", .string(record.mvpd.text)), .init("userId", .string(record.userID)),
            .init("origin", .string(record.origin.rawValue)), .init("exclusive", .bool(record.isExclusive)),
            .init("appId", .optional(record.context.appID)), .init("deviceUser", .optional(record.context.deviceUser)),
            .init("created", .string(String(record.created.milliseconds))),
            .init("expires", .string(String(record.expires.milliseconds))),
        ])
    }

    fileprivate static func authorization(_ record: AuthZRecord) -> WireObject {
        WireObject([
            .init("authentication", .string(record.authentication.text)),
            .init("requestor", .string(record.requestor.text)), .init("mvpd", .string(record.mvpd.text)),
            .init("resource", .string(record.resource.text)), .init("origin", .string(record.origin.rawValue)),
            .init("created", .string(String(record.created.milliseconds))),
            .init("expires", .string(String(record.expires.milliseconds))),
        ])
    }
}
