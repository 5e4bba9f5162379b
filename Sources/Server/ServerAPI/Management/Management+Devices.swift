import Clientless
import Entitlement
import HTTPServer

// `/management/v1/devices/records` and `/management/v1/sign-ins/{id}`: what is kept of a device, without
// anything that would let a reader act as it.
extension Management {
    private static let records = "/management/v1/devices/records"

    private typealias Records = (signIns: [AuthNRecord], permits: [AuthZRecord])

    static let deviceEndpoints: [Endpoint<Management>] = [
        // `deviceId` is a parameter: it may hold any text, and paths are more often written down.
        endpoint(
            .get, records, "listDeviceRecords", name: "management-device-records", .devices,
            "List the sign-ins and permits of a device", fields: [.deviceID],
            answer: ("The records.", "deviceRecords"),
            Shape<Records>(
                .init("signIns", of: Shapes.signIn, \.signIns),
                .init("permits", of: Shapes.permit, \.permits))
        ) { face, managed in
            let (device, remit) = (try managed.call.deviceID(), managed.caller.remit)
            return (
                try await face.domain.operations.records(of: device, within: remit),
                try await face.domain.operations.decisions(of: device, within: remit)
            )
        },
        endpoint(
            .delete, records, "deleteDeviceRecords", name: "management-device-records", .devices,
            "Sign a device out", fields: [.deviceID], answers: [.done]
        ) { try await $0.deleteDeviceRecords($1.call, $1.caller) },
        ending(
            "/management/v1/sign-ins/{id}", "endSignIn", name: "management-sign-in", .devices, "End a sign-in"
        ) { try await $0.endSignIn($1.call, $1.caller) },
    ]

    /// Signs the device out of the requestors the caller manages. 204 also when it was signed in nowhere.
    private func deleteDeviceRecords(_ call: Call, _ caller: ManagementCaller) async throws -> HTTPResponse {
        for record in try await self.domain.operations.records(of: try call.deviceID(), within: caller.remit) {
            _ = try await self.domain.operations.deleteRecord(record.id, actor: caller.actor, now: call.now)
        }
        return Answer.empty(.noContent)
    }

    /// A record of a requestor the caller does not manage is, to the caller, not there.
    private func endSignIn(_ call: Call, _ caller: ManagementCaller) async throws -> Bool {
        let id = AuthNID(text: call.request.segment("id"))
        guard id.text.utf8.count == 32, id.text.utf8.allSatisfy(\.isLetterOrDigit) else { return false }
        return try await self.domain.operations.deleteRecord(
            id, within: caller.remit, actor: caller.actor, now: call.now) != nil
    }
}
