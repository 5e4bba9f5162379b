import Clientless
import Entitlement
import HTTPServer

// `/management/v1/devices/records` and `/management/v1/authentications/{id}`: what is kept of a device, without
// anything that would let somebody act as it.
extension Management {
    func addDeviceRoutes(to router: inout Router) {
        let path = "/management/v1/devices/records"
        router.on(.get, path: path, name: "management-device-records", group: self.group) { request in
            self.managed(request, .devices) { try await self.deviceRecords($0, $1) }
        }
        router.on(.delete, path: path, name: "management-device-records", group: self.group) { request in
            self.managed(request, .devices) { try await self.deleteDeviceRecords($0, $1) }
        }
        router.on(
            .delete, path: "/management/v1/authentications/{id}", name: "management-authentication", group: self.group
        ) { request in
            self.managed(request, .devices) { try await self.deleteAuthentication($0, $1) }
        }
    }

    /// `deviceId` is a parameter: it may hold any text, and paths are more often written down.
    private func deviceRecords(_ call: Call, _ caller: ManagementCaller) async throws -> HTTPResponse {
        let device = try call.deviceID()
        let authentications = try await self.domain.operations.records(of: device)
            .filter { caller.requestors.contains($0.requestor) }
        let authorizations = try await self.domain.operations.decisions(of: device)
            .filter { caller.requestors.contains($0.requestor) }
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
        let records = try await self.domain.operations.records(of: try call.deviceID())
        for record in records where caller.requestors.contains(record.requestor) {
            _ = try await self.domain.operations.deleteRecord(record.id, actor: caller.actor, now: call.now)
        }
        return Answer.empty(.noContent)
    }

    /// A record of a requestor the caller does not manage is, to the caller, not there.
    private func deleteAuthentication(_ call: Call, _ caller: ManagementCaller) async throws -> HTTPResponse {
        let id = AuthNID(text: call.request.segment("id"))
        guard id.text.utf8.count == 32, id.text.utf8.allSatisfy(Self.isHexDigit) else { throw WireError.notFound }
        let record = try await self.domain.operations.record(id)
        guard let record, caller.requestors.contains(record.requestor) else { throw WireError.notFound }
        _ = try await self.domain.operations.deleteRecord(id, actor: caller.actor, now: call.now)
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
